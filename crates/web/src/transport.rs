//! The transport of a connection: a socket to a server, or the messages of a worker. Both carry texts.

use std::task::{Context, Poll, ready};

use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::future::{FusedFuture, poll_fn};
use futures_util::{FutureExt, SinkExt, StreamExt};
use game::record::Name;
use gloo_net::websocket::Message;
use gloo_net::websocket::futures::WebSocket;
use leptos::prelude::*;
use practice::messages::{WorkerReport, WorkerRequest};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::app::asset;
use crate::journals::StoredJournal;
use crate::pages::player_name;
use crate::text::PhraseSignal;

/// A transport of texts in both directions.
pub(crate) enum Transport {
    /// To a table or a ledger of the server.
    Server(WebSocket),
    /// To a table in this browser.
    Worker(WorkerHandle),
}

impl Transport {
    /// Connects to a socket of the server, by its path.
    pub(crate) fn to_server(path: &str) -> Option<Transport> {
        WebSocket::open(&address(path)?).ok().map(Transport::Server)
    }

    /// Starts a worker that plays by this plan: it resumes the stored match, or begins one. Returns
    /// None if there is no worker or no such plan.
    pub(crate) async fn to_worker(
        plan: &str,
        phrases: PhraseSignal,
        record: RwSignal<Option<String>>,
        unreadable: RwSignal<Option<String>>,
    ) -> Option<Transport> {
        let mut handle = WorkerHandle::new(plan, phrases, record, unreadable)?;
        // The first text is empty and means that the table is open.
        handle.texts.next().await?;
        Some(Transport::Worker(handle))
    }

    /// The next text. Returns None once the transport has ended.
    pub(crate) fn next(&mut self) -> impl FusedFuture<Output = Option<String>> + Unpin {
        poll_fn(|context| self.poll(context)).fuse()
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        let socket = match self {
            Transport::Worker(handle) => return handle.texts.poll_next_unpin(context),
            Transport::Server(socket) => socket,
        };
        loop {
            match ready!(socket.poll_next_unpin(context)) {
                Some(Ok(Message::Text(text))) => return Poll::Ready(Some(text)),
                Some(Ok(Message::Bytes(_))) => {}
                Some(Err(_)) | None => return Poll::Ready(None),
            }
        }
    }

    /// Sends a text. Returns whether it was sent.
    pub(crate) async fn send(&mut self, text: String) -> bool {
        match self {
            Transport::Server(socket) => socket.send(Message::Text(text)).await.is_ok(),
            Transport::Worker(handle) => post(&handle.worker, &WorkerRequest::Message(text)),
        }
    }
}

/// A worker, which is terminated when this is dropped.
pub(crate) struct WorkerHandle {
    worker: Worker,
    /// The messages of the table. The stream ends when the worker fails.
    texts: UnboundedReceiver<String>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut()>,
}

impl WorkerHandle {
    fn new(
        plan: &str,
        phrases: PhraseSignal,
        record: RwSignal<Option<String>>,
        unreadable: RwSignal<Option<String>>,
    ) -> Option<WorkerHandle> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&asset("practice")?, &options).ok()?;
        let (sender, texts) = unbounded();
        let (own, error_sender) = (worker.clone(), sender.clone());
        let (mut journal, mut stored) = StoredJournal::open(plan);
        let mut resumes = false;
        let open = WorkerRequest::Open { plan: plan.into(), name: practice_name(phrases) };
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let report = event.data().as_string().and_then(|text| WorkerReport::read(&text));
            match report {
                Some(WorkerReport::Ready) => match stored.take() {
                    Some(journal) => resumes = post(&own, &WorkerRequest::Resume { journal }),
                    None => _ = post(&own, &open),
                },
                // The stored journal is invalid: it is kept, and a new match begins.
                Some(WorkerReport::Refused(_)) if resumes => {
                    unreadable.try_set(Some(journal.set_aside()));
                    resumes = !post(&own, &open);
                }
                Some(WorkerReport::Refused(_)) => sender.close_channel(),
                Some(WorkerReport::Opened) => _ = sender.unbounded_send(String::new()),
                Some(WorkerReport::Journal(pages)) => {
                    if pages.replaces {
                        record.try_set(None);
                    }
                    journal.write(&pages);
                }
                Some(WorkerReport::Message(text)) => _ = sender.unbounded_send(text),
                Some(WorkerReport::Record(text)) => _ = record.try_set(Some(text)),
                None => {}
            }
        });
        let on_error = Closure::<dyn FnMut()>::new(move || error_sender.close_channel());
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Some(WorkerHandle { worker, texts, _on_message: on_message, _on_error: on_error })
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.worker.terminate();
        // Messages that are still queued must not call the dropped closures.
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
    }
}

/// Sends a request to a worker. Returns whether it was sent.
fn post(worker: &Worker, request: &WorkerRequest) -> bool {
    worker.post_message(&request.text().into()).is_ok()
}

/// The player's name at a practice table.
fn practice_name(phrases: PhraseSignal) -> String {
    let own = player_name(phrases).trim().to_owned();
    let is_valid = Name::new(&own).is_ok();
    if is_valid { own } else { phrases.with_untracked(|phrases| phrases.guest_name()) }
}

/// The address of a socket on the page's own server.
fn address(path: &str) -> Option<String> {
    let location = window().location();
    let scheme = if location.protocol().ok()? == "https:" { "wss" } else { "ws" };
    Some(format!("{scheme}://{}{path}", location.host().ok()?))
}
