//! The cable of a line: a socket to a server, or the door of a worker. Both carry texts.

use std::task::{Context, Poll, ready};

use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::future::{FusedFuture, poll_fn};
use futures_util::{FutureExt, SinkExt, StreamExt};
use game::record::Name;
use gloo_net::websocket::Message;
use gloo_net::websocket::futures::WebSocket;
use leptos::prelude::*;
use practice::messages::{HostReport, HostRequest};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::app::asset;
use crate::journals::StoredJournal;
use crate::pages::own_name;
use crate::text::Words;

/// A way to a table and back.
pub(crate) enum Transport {
    /// To a table or a ledger of the server.
    Server(WebSocket),
    /// To a table in this browser.
    Worker(WorkerHandle),
}

impl Transport {
    /// A cable to a socket of the server, by its path.
    pub(crate) fn to_server(path: &str) -> Option<Transport> {
        WebSocket::open(&address(path)?).ok().map(Transport::Server)
    }

    /// A cable to a worker that plays by this plan: it goes on with what is kept of it, or
    /// begins. Nothing if there is no worker or no such plan.
    pub(crate) async fn to_worker(
        plan: &str,
        words: Words,
        record: RwSignal<Option<String>>,
    ) -> Option<Transport> {
        let mut hired = WorkerHandle::new(plan, words, record)?;
        // The first is an empty one, when the table is open.
        hired.texts.next().await?;
        Some(Transport::Worker(hired))
    }

    /// What the table says next; nothing once the cable is cut.
    pub(crate) fn next(&mut self) -> impl FusedFuture<Output = Option<String>> + Unpin {
        poll_fn(|context| self.poll(context)).fuse()
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        let socket = match self {
            Transport::Worker(hired) => return hired.texts.poll_next_unpin(context),
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

    /// Sends a text. Whether it went.
    pub(crate) async fn send(&mut self, text: String) -> bool {
        match self {
            Transport::Server(socket) => socket.send(Message::Text(text)).await.is_ok(),
            Transport::Worker(hired) => say(&hired.worker, &HostRequest::Message(text)),
        }
    }
}

/// A worker, as long as it is needed.
pub(crate) struct WorkerHandle {
    worker: Worker,
    /// What the table says. It ends when the worker fails.
    texts: UnboundedReceiver<String>,
    _hear: Closure<dyn FnMut(MessageEvent)>,
    _fail: Closure<dyn FnMut()>,
}

impl WorkerHandle {
    fn new(plan: &str, words: Words, record: RwSignal<Option<String>>) -> Option<WorkerHandle> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&asset("practice")?, &options).ok()?;
        let (said, texts) = unbounded();
        let (own, failed) = (worker.clone(), said.clone());
        let (mut journal, mut kept) = StoredJournal::open(plan);
        let mut resumes = false;
        let open = HostRequest::Open { plan: plan.into(), name: name(words) };
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let report = event.data().as_string().and_then(|text| HostReport::read(&text));
            match report {
                Some(HostReport::Ready) => match kept.take() {
                    Some(journal) => resumes = say(&own, &HostRequest::Resume { journal }),
                    None => _ = say(&own, &open),
                },
                // Of a journal that is spoilt nothing can be made.
                Some(HostReport::Refused(_)) if resumes => resumes = !say(&own, &open),
                Some(HostReport::Refused(_)) => said.close_channel(),
                Some(HostReport::Opened) => _ = said.unbounded_send(String::new()),
                Some(HostReport::Journal(pages)) => {
                    if pages.replaces {
                        record.try_set(None);
                    }
                    journal.write(&pages);
                }
                Some(HostReport::Message(text)) => _ = said.unbounded_send(text),
                Some(HostReport::Record(text)) => _ = record.try_set(Some(text)),
                None => {}
            }
        });
        let fail = Closure::<dyn FnMut()>::new(move || failed.close_channel());
        worker.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        Some(WorkerHandle { worker, texts, _hear: hear, _fail: fail })
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.worker.terminate();
        // What is on its way is not to reach what is not there any more.
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
    }
}

/// Says something to a worker. Whether it went.
fn say(worker: &Worker, request: &HostRequest) -> bool {
    worker.post_message(&request.text().into()).is_ok()
}

/// The name under which somebody practises.
fn name(words: Words) -> String {
    let own = own_name(words).trim().to_owned();
    let usable = own.parse::<Name>().is_ok();
    if usable { own } else { words.with_untracked(|phrases| phrases.guest_name()) }
}

fn address(path: &str) -> Option<String> {
    let location = window().location();
    let scheme = if location.protocol().ok()? == "https:" { "wss" } else { "ws" };
    Some(format!("{scheme}://{}{path}", location.host().ok()?))
}
