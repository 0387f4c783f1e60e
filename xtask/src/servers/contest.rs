//! The measured servers: how they are installed and started.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::process::{ServerFigures, ServerProgram, measure};
use crate::setup;
use crate::steps::{succeed, written_by};
use crate::workspace::Workspace;

/// A measured server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Contestant {
    Ours,
    Colyseus,
    Boardgameio,
    /// The same with a storage that survives a restart.
    BoardgameioFiles,
}

impl Contestant {
    pub(super) fn name(self) -> &'static str {
        match self {
            Contestant::Ours => "ghinda, synced to disk",
            Contestant::Colyseus => "Colyseus, in memory",
            Contestant::Boardgameio => "boardgame.io, in memory",
            Contestant::BoardgameioFiles => "boardgame.io, in files",
        }
    }

    fn is_ours(self) -> bool {
        self == Contestant::Ours
    }

    /// A rate to begin with that the server can handle.
    pub(super) fn modest_rate(self) -> f64 {
        match self {
            Contestant::Ours => 4000.0,
            Contestant::Colyseus => 1000.0,
            Contestant::Boardgameio => 500.0,
            Contestant::BoardgameioFiles => 50.0,
        }
    }
}

/// The number of tables, the moves per second of all of them, and the measured seconds.
#[derive(Clone, Copy)]
pub(super) struct Traffic {
    pub(super) tables: usize,
    pub(super) rate: f64,
    pub(super) seconds: u32,
}

/// The folders and programs of the measurement.
pub(super) struct Place {
    folder: PathBuf,
    node: PathBuf,
    ghinda: PathBuf,
}

impl Place {
    /// Installs the peers under target/ once, with a current Node: that of the system may be old.
    pub(super) fn install(workspace: &Workspace) -> Result<Place> {
        let folder = workspace.target.join("bench-servers");
        let node = folder.join("node_modules/.bin/node");
        let place = Place { folder, node, ghinda: workspace.release("ghinda") };
        let sources = workspace.root.join("xtask/servers");
        fs::create_dir_all(&place.folder)?;
        for entry in fs::read_dir(&sources)? {
            let entry = entry?;
            fs::copy(entry.path(), place.folder.join(entry.file_name()))?;
        }
        // The last complete installation.
        let wanted = fs::read_to_string(sources.join("package.json"))?;
        let installed = place.folder.join("installed.json");
        if fs::read_to_string(&installed).ok().as_ref() != Some(&wanted) {
            setup::packages(&[setup::NODE, setup::NPM])?;
            let mut npm = Command::new("npm");
            npm.current_dir(&place.folder).args(["install", "--no-package-lock", "--no-audit"]);
            succeed(npm.args(["--no-fund", "--loglevel", "error"]))?;
            fs::write(&installed, wanted)?;
        }
        let version = written_by(Command::new(&place.node).arg("--version"))?.stdout;
        print!("   Node {version}");
        Ok(place)
    }

    /// Starts a server, and returns its address.
    pub(super) fn serve(&self, side: Contestant) -> Result<(ServerProgram, String)> {
        let mut command = match side {
            Contestant::Ours => self.our_server()?,
            Contestant::Colyseus => self.script("colyseus-server.js"),
            Contestant::Boardgameio | Contestant::BoardgameioFiles => {
                self.script("boardgameio-server.js")
            }
        };
        if side == Contestant::BoardgameioFiles {
            command.arg(self.empty_folder("boardgameio")?.join("matches"));
        }
        let server = ServerProgram::start(&command)?;
        let address = server.address().with_context(|| side.name())?;
        Ok((server, address))
    }

    /// Starts clients that take seats, play and report.
    pub(super) fn play(
        &self,
        side: Contestant,
        address: &str,
        traffic: Traffic,
    ) -> Result<ServerProgram> {
        let Traffic { tables, rate, seconds } = traffic;
        let [tables, rate, seconds] = [tables.to_string(), rate.to_string(), seconds.to_string()];
        let mut command = match side {
            Contestant::Ours => {
                let mut ghinda = Command::new(&self.ghinda);
                ghinda.args(["load", address, "--json"]);
                ghinda.args(["--tables", &tables, "--rate", &rate, "--seconds", &seconds]);
                return ServerProgram::start(&ghinda);
            }
            Contestant::Colyseus => self.script("colyseus-clients.js"),
            Contestant::Boardgameio | Contestant::BoardgameioFiles => {
                self.script("boardgameio-clients.js")
            }
        };
        ServerProgram::start(command.args([address, &tables, &rate, &seconds]))
    }

    /// Measures measure_several rates one after the other. A peer's server keeps running, warm; ghinda is
    /// restarted, since its tables would wait for their players.
    pub(super) fn measure_several(
        &self,
        side: Contestant,
    ) -> impl FnMut(Traffic) -> Result<ServerFigures> {
        let mut running = None;
        move |traffic| {
            if side.is_ours() || running.is_none() {
                running = None;
                running = Some(self.serve(side)?);
            }
            let Some((server, address)) = &running else { bail!("there is no server.") };
            let clients = self.play(side, address, traffic)?;
            measure(server, &clients, f64::from(traffic.seconds)).with_context(|| side.name())
        }
    }

    fn our_server(&self) -> Result<Command> {
        let database = self.empty_folder("ghinda")?.join("ghinda.db");
        let mut ghinda = Command::new(&self.ghinda);
        ghinda.args(["serve", "--listen", "127.0.0.1:0", "--database"]).arg(database);
        ghinda.args(["--sockets", "100000", "--sockets-from-one", "100000"]);
        ghinda.args(["--costly-a-minute", "4000000"]).env("RUST_LOG", "warn");
        Ok(ghinda)
    }

    fn script(&self, name: &str) -> Command {
        let mut node = Command::new(&self.node);
        node.arg("--expose-gc").arg(name).current_dir(&self.folder).env("NODE_ENV", "production");
        node
    }

    /// An empty folder on the disk under the build folder.
    fn empty_folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join("data").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}
