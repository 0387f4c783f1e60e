//! The application for worlds in virtual time: without sockets, and with the parts of the world.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use metrics_exporter_prometheus::PrometheusBuilder;

use super::connection_limits::Limits;
use super::{App, PageFiles, ServerParts, WebSettings, router};

/// The permission for a WebSocket, until it is dropped.
pub(crate) type SocketPlace = Box<dyn Send + Sync>;

/// The web of a server without a network.
pub(crate) struct SimulatedWeb {
    app: Arc<App>,
    routes: Router,
}

impl SimulatedWeb {
    pub(crate) fn new(parts: ServerParts, limits: Limits) -> SimulatedWeb {
        let settings = WebSettings { limits, ..WebSettings::default() };
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let app = App::of_parts(parts, settings, metrics, PageFiles::default());
        SimulatedWeb { routes: router(app.clone()), app }
    }

    /// All routes, as the server serves them.
    pub(crate) fn routes(&self) -> Router {
        self.routes.clone()
    }

    /// A place for a WebSocket. Returns None if there are too many.
    pub(crate) fn permit_socket(&self, address: IpAddr) -> Option<SocketPlace> {
        let permit = self.app.connection_limits.permit_socket(address)?;
        Some(Box::new(permit))
    }

    /// The permissions that are given, and the bytes of answers that are being sent.
    pub(crate) fn in_use(&self) -> usize {
        self.app.connection_limits.in_use() + self.app.answers.used()
    }
}
