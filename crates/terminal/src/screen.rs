//! The terminal itself: taken when a face is shown, and given back as it was, whatever happens.

use std::io::{self, IsTerminal, Stdout, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Once};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind,
    KeyModifiers, MouseEvent,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::low_level::{emulate_default_handler, raise};

use crate::table_session::TransportEvent;

/// How often whoever waits for a key looks up.
const LOOKS_UP: Duration = Duration::from_millis(100);

/// What comes in from outside.
pub(crate) enum ScreenInput {
    /// From the keyboard, the mouse or the window.
    Event(Event),
    /// From the table.
    News(TransportEvent),
    /// A line of text, where lines are read.
    Line(String),
    /// Nothing will be typed any more.
    End,
    /// Somebody wants us to end.
    Signal(i32),
}

/// What is shown on a whole screen.
pub(crate) trait ScreenView {
    /// Draws itself.
    fn draw(&mut self, frame: &mut Frame<'_>);
    /// A key was pressed.
    fn key(&mut self, key: KeyEvent);
    /// The mouse did something.
    fn mouse(&mut self, _: MouseEvent) {}
    /// The table has told something.
    fn news(&mut self, _: TransportEvent) {}
    /// After which time it changes by itself.
    fn waits(&self) -> Option<Duration> {
        None
    }
    /// Whether the player has left.
    fn is_left(&self) -> bool;
}

/// Whether a person looks at us and types.
pub fn is_terminal() -> bool {
    io::stdin().is_terminal() && stdout().is_terminal()
}

/// The terminal while we have it.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    fn open() -> Result<Screen> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                restore();
                before(info);
            }));
        });
        take().context("this needs a terminal; --plain works without")?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout()));
        match terminal {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                restore();
                Err(error.into())
            }
        }
    }

    fn draw(&mut self, face: &mut impl ScreenView) -> Result<()> {
        // All at once, so that nothing flickers.
        execute!(stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| face.draw(frame))?;
        execute!(stdout(), EndSynchronizedUpdate)?;
        Ok(())
    }

    /// Lets the shell have the terminal until it calls us back.
    fn suspend(&mut self) -> Result<()> {
        restore();
        raise(SIGTSTP)?;
        take()?;
        self.terminal.clear()?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
}

/// Gives the terminal back. What fails has nobody to be told to.
fn restore() {
    let _ =
        execute!(stdout(), EndSynchronizedUpdate, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// A queue of everything that comes in.
pub(crate) fn inputs() -> (Sender<ScreenInput>, Receiver<ScreenInput>) {
    channel()
}

/// Listens to the keyboard, the mouse and signals until it is dropped: whoever listened on would
/// take the keys of the next face.
struct InputListener {
    stop: Arc<AtomicBool>,
    keys: Option<JoinHandle<()>>,
    signals: signal_hook::iterator::Handle,
}

impl InputListener {
    fn start(to: &Sender<ScreenInput>) -> Result<InputListener> {
        let mut caught = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT])?;
        let (signals, told) = (caught.handle(), to.clone());
        let wait = move || {
            for signal in caught.forever() {
                let _ = told.send(ScreenInput::Signal(signal));
            }
        };
        std::thread::Builder::new().name("signals".into()).spawn(wait).context("no thread")?;
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, to) = (stop.clone(), to.clone());
        let read = move || {
            while !stopped.load(Ordering::Relaxed) {
                match event::poll(LOOKS_UP) {
                    Ok(false) => {}
                    Ok(true) => match event::read() {
                        Ok(event) => _ = to.send(ScreenInput::Event(event)),
                        Err(_) => break,
                    },
                    Err(_) => break,
                }
            }
            let _ = to.send(ScreenInput::End);
        };
        let keys = std::thread::Builder::new().name("keys".into());
        let keys = keys.spawn(read).context("no thread")?;
        Ok(InputListener { stop, keys: Some(keys), signals })
    }
}

impl Drop for InputListener {
    fn drop(&mut self) {
        self.signals.close();
        self.stop.store(true, Ordering::Relaxed);
        // Whoever reads a terminal that is gone reads for ever, and ends with us. What he could tell,
        // nobody hears any more.
        if is_terminal() {
            let _ = self.keys.take().map(JoinHandle::join);
        }
    }
}

/// Shows a face until it is left.
pub(crate) fn show(
    face: &mut impl ScreenView,
    to: &Sender<ScreenInput>,
    from: &Receiver<ScreenInput>,
) -> Result<()> {
    let mut screen = Screen::open()?;
    let _listening = InputListener::start(to)?;
    loop {
        screen.draw(face)?;
        let mut input = match face.waits() {
            Some(waits) => match from.recv_timeout(waits) {
                Ok(input) => Some(input),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            },
            None => Some(from.recv()?),
        };
        // Everything that has come is taken before anything is drawn.
        while let Some(now) = input {
            match now {
                ScreenInput::Event(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                    match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
                        (KeyCode::Char('c'), true) => return Ok(()),
                        (KeyCode::Char('z'), true) => screen.suspend()?,
                        (KeyCode::Char('l'), true) => screen.terminal.clear()?,
                        _ => face.key(key),
                    }
                }
                ScreenInput::Event(Event::Mouse(mouse)) => face.mouse(mouse),
                ScreenInput::Event(_) | ScreenInput::Line(_) => {}
                ScreenInput::News(news) => face.news(news),
                ScreenInput::End => return Ok(()),
                ScreenInput::Signal(signal) => {
                    drop(screen);
                    // Whoever sent it learns from the exit status that it was obeyed.
                    emulate_default_handler(signal)?;
                    return Ok(());
                }
            }
            if face.is_left() {
                return Ok(());
            }
            input = from.try_recv().ok();
        }
    }
}

/// How many columns and rows the terminal has.
pub fn size() -> Option<(u16, u16)> {
    ratatui::crossterm::terminal::size().ok()
}
