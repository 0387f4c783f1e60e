//! The worker: hosts a practice table outside the main thread, so that bots do not block the page.
//!
//! It is a separate program, loaded when a player practises; a player on a server needs neither its
//! bots nor its rules. Messages are texts; see `practice::messages`.

use std::future::pending;

use futures_channel::mpsc::unbounded;
use futures_util::{FutureExt, StreamExt, select};
use gloo_timers::future::TimeoutFuture;
use practice::messages::WorkerReport;
use practice::{Due, PracticeWorker};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The maximum time for which a bot thinks, however slow the machine.
const THINKS_MS: f64 = 3_000.0;
/// The maximum time to wait. Nothing at a practice table takes longer, but a clock that was set
/// back would ask for more.
const WAITS_MS: u64 = 2_000;

fn main() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let (sender, requests) = unbounded();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(text) = event.data().as_string() {
            let _ = sender.unbounded_send(text);
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The closure lives as long as the worker.
    on_message.forget();
    js_sys::futures::spawn_local(serve(scope, requests));
}

/// Serves the page. The page terminates the worker.
async fn serve(
    scope: DedicatedWorkerGlobalScope,
    mut requests: futures_channel::mpsc::UnboundedReceiver<String>,
) {
    let send = |report: &WorkerReport| _ = scope.post_message(&report.text().into());
    // The page sends nothing before it receives this.
    send(&WorkerReport::Ready);
    let mut host = PracticeWorker::default();
    loop {
        let due = host.due();
        let waits = match due {
            // Requests of the page go first.
            Some(Due::Think) => Some(0),
            Some(Due::Wake { at }) => Some(at.saturating_sub(now() as u64).min(WAITS_MS) as u32),
            None => None,
        };
        let timer = match waits {
            Some(millis) => TimeoutFuture::new(millis).left_future(),
            None => pending().right_future(),
        };
        let reports = select! {
            () = timer.fuse() => match due {
                Some(Due::Think) => {
                    let until = now() + THINKS_MS;
                    host.think(|| now() < until);
                    Vec::new()
                }
                Some(Due::Wake { at }) => host.wake(at.max(now() as u64)),
                None => Vec::new(),
            },
            request = requests.next() => match request {
                Some(text) => host.handle(&text, now() as u64, || entropy(&scope)),
                None => return,
            },
        };
        reports.iter().for_each(send);
    }
}

/// The current time in milliseconds.
fn now() -> f64 {
    js_sys::Date::now()
}

/// Random bytes of the browser.
fn entropy(scope: &DedicatedWorkerGlobalScope) -> [u8; 32] {
    let mut bytes = [0; 32];
    let drawn =
        scope.crypto().and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes));
    // Without randomness every match would have the same cards.
    drawn.expect("every browser that runs wasm draws lots");
    bytes
}
