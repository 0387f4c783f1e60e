//! The terminal itself: acquired while a view is shown, and always restored, also after a panic.

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

use crate::table_connection::TransportEvent;

/// How often the reader of keys checks whether it must stop.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// An input to the view or connection that is shown.
pub(crate) enum ScreenInput {
    /// From the keyboard, the mouse or the window.
    Event(Event),
    /// From the transport of the table.
    Transport(TransportEvent),
    /// A line of text, where lines are read.
    Line(String),
    /// The input has ended.
    End,
    /// A signal that asks the process to end.
    Signal(i32),
}

/// A view that fills the screen.
pub(crate) trait ScreenView {
    /// Draws the view.
    fn draw(&mut self, frame: &mut Frame<'_>);
    /// Handles a key press.
    fn key(&mut self, key: KeyEvent);
    /// Handles a mouse event.
    fn mouse(&mut self, _: MouseEvent) {}
    /// Handles an event from the transport of the table.
    fn receive(&mut self, _: TransportEvent) {}
    /// The time after which the view is updated and drawn without an input.
    fn tick_after(&self) -> Option<Duration> {
        None
    }
    /// Updates what depends on the time. Called before each draw.
    fn tick(&mut self) {}
    /// Whether the player has left.
    fn has_left(&self) -> bool;
}

/// Whether standard input and output are terminals.
pub fn is_terminal() -> bool {
    io::stdin().is_terminal() && stdout().is_terminal()
}

/// The terminal in raw mode, until this is dropped.
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
        acquire().context("this needs a terminal; --plain works without")?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout()));
        match terminal {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                restore();
                Err(error.into())
            }
        }
    }

    fn draw(&mut self, view: &mut impl ScreenView) -> Result<()> {
        // In one update, so that the screen does not flicker.
        execute!(stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| view.draw(frame))?;
        execute!(stdout(), EndSynchronizedUpdate)?;
        Ok(())
    }

    /// Returns the terminal to the shell until the process is resumed.
    fn suspend(&mut self) -> Result<()> {
        restore();
        raise(SIGTSTP)?;
        acquire()?;
        self.terminal.clear()?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn acquire() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
}

/// Restores the terminal. Errors are ignored, as they cannot be shown.
fn restore() {
    let _ =
        execute!(stdout(), EndSynchronizedUpdate, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// The queue of all inputs.
pub(crate) fn inputs() -> (Sender<ScreenInput>, Receiver<ScreenInput>) {
    channel()
}

/// Reads the keyboard, the mouse and signals until it is dropped. A reader that kept running would
/// take the keys of the next view.
struct InputListener {
    stop: Arc<AtomicBool>,
    keys: Option<JoinHandle<()>>,
    signals: signal_hook::iterator::Handle,
}

impl InputListener {
    fn start(sender: &Sender<ScreenInput>) -> Result<InputListener> {
        let mut caught = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT])?;
        let (signals, signal_sender) = (caught.handle(), sender.clone());
        let wait = move || {
            for signal in caught.forever() {
                let _ = signal_sender.send(ScreenInput::Signal(signal));
            }
        };
        std::thread::Builder::new()
            .name("signals".into())
            .spawn(wait)
            .context("the thread for signals cannot be started")?;
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, key_sender) = (stop.clone(), sender.clone());
        let read = move || {
            while !stopped.load(Ordering::Relaxed) {
                match event::poll(POLL_INTERVAL) {
                    Ok(false) => {}
                    Ok(true) => match event::read() {
                        Ok(event) => _ = key_sender.send(ScreenInput::Event(event)),
                        Err(_) => break,
                    },
                    Err(_) => break,
                }
            }
            let _ = key_sender.send(ScreenInput::End);
        };
        let keys = std::thread::Builder::new().name("keys".into());
        let keys = keys.spawn(read).context("the thread for keys cannot be started")?;
        Ok(InputListener { stop, keys: Some(keys), signals })
    }
}

impl Drop for InputListener {
    fn drop(&mut self) {
        self.signals.close();
        self.stop.store(true, Ordering::Relaxed);
        // A reader of a closed terminal never returns; it ends with the process. No input of it is
        // needed any more.
        if is_terminal() {
            let _ = self.keys.take().map(JoinHandle::join);
        }
    }
}

/// Shows a view until the player leaves it.
pub(crate) fn show(
    view: &mut impl ScreenView,
    sender: &Sender<ScreenInput>,
    receiver: &Receiver<ScreenInput>,
) -> Result<()> {
    let mut screen = Screen::open()?;
    let _listener = InputListener::start(sender)?;
    loop {
        view.tick();
        screen.draw(view)?;
        let mut input = match view.tick_after() {
            Some(wait) => match receiver.recv_timeout(wait) {
                Ok(input) => Some(input),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            },
            None => Some(receiver.recv()?),
        };
        // All waiting inputs are handled before the next draw.
        while let Some(next) = input {
            match next {
                ScreenInput::Event(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                    match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
                        (KeyCode::Char('c'), true) => return Ok(()),
                        (KeyCode::Char('z'), true) => screen.suspend()?,
                        (KeyCode::Char('l'), true) => screen.terminal.clear()?,
                        _ => view.key(key),
                    }
                }
                ScreenInput::Event(Event::Mouse(mouse)) => view.mouse(mouse),
                ScreenInput::Event(_) | ScreenInput::Line(_) => {}
                ScreenInput::Transport(event) => view.receive(event),
                ScreenInput::End => return Ok(()),
                ScreenInput::Signal(signal) => {
                    drop(screen);
                    // The exit status reports the signal to its sender.
                    emulate_default_handler(signal)?;
                    return Ok(());
                }
            }
            if view.has_left() {
                return Ok(());
            }
            input = receiver.try_recv().ok();
        }
    }
}

/// The number of columns and rows of the terminal.
pub fn size() -> Option<(u16, u16)> {
    ratatui::crossterm::terminal::size().ok()
}
