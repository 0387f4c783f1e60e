//! What the tasks of the server report about themselves in tests: how often they step, how much they
//! hold, and whether one has panicked. A world runs in one thread, so all of it belongs to the thread.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Once;

use tokio::time::Instant;

/// The most steps that all tasks together may need at one moment. A task that spins needs more, and
/// time would never go on.
const MAX_STEPS_AT_ONCE: u64 = 20_000;

/// What was reported since the beginning of a world.
#[derive(Default)]
pub(super) struct Probes {
    /// Whether a world runs in this thread.
    watches: bool,
    pub(super) steps: u64,
    /// The inputs of tasks, which are reasons to step.
    pub(super) inputs: u64,
    /// The steps at the present moment.
    now: Option<(Instant, u64)>,
    /// The largest sizes.
    pub(super) sizes: BTreeMap<&'static str, usize>,
    /// What must not be.
    pub(super) alarms: Vec<String>,
}

thread_local! {
    static PROBES: RefCell<Probes> = RefCell::default();
}

/// Notes a step of a task. Ends the task if it spins.
pub(crate) fn step() {
    let spins = PROBES.with_borrow_mut(|probes| {
        probes.steps += 1;
        let now = Instant::now();
        let before = probes.now.filter(|(at, _)| *at == now).map_or(0, |(_, steps)| steps);
        probes.now = Some((now, before + 1));
        probes.watches && before >= MAX_STEPS_AT_ONCE
    });
    assert!(!spins, "a task spins: time does not go on");
}

/// Notes how much a task holds, and how much it may hold.
pub(crate) fn size(what: &'static str, size: usize, max: usize) {
    PROBES.with_borrow_mut(|probes| {
        let largest = probes.sizes.entry(what).or_default();
        *largest = size.max(*largest);
        if probes.watches && size > max {
            probes.alarms.push(format!("{size} {what}, where {max} are the limit"));
        }
    });
}

/// Notes an input of a task.
pub(super) fn input() {
    PROBES.with_borrow_mut(|probes| probes.inputs += 1);
}

/// Begins a world in this thread.
pub(super) fn begin() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            default(info);
            // A task that has panicked is only missing otherwise.
            let _ = PROBES.try_with(|probes| {
                if let Ok(mut probes) = probes.try_borrow_mut()
                    && probes.watches
                {
                    probes.alarms.push(format!("a panic: {info}"));
                }
            });
        }));
    });
    PROBES.set(Probes { watches: true, ..Probes::default() });
}

/// Ends a world, and returns its probes.
pub(super) fn end() -> Probes {
    PROBES.take()
}

/// Takes the alarms.
pub(super) fn alarms() -> Vec<String> {
    PROBES.with_borrow_mut(|probes| std::mem::take(&mut probes.alarms))
}

/// The steps and the inputs until now.
pub(super) fn steps_and_inputs() -> (u64, u64) {
    PROBES.with_borrow(|probes| (probes.steps, probes.inputs))
}
