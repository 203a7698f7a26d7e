//! The requests: files of the page, and the WebSocket of an engine.

use super::engine::{EngineChoice, EngineSettings};
use super::guard::{Guard, Pass};
use super::page::Page;
use super::socket::{self, MOST_BYTES};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// The greatest number of engines: a page needs one or two.
pub(crate) const MOST_SOCKETS: usize = 4;

/// What requests need.
pub(crate) struct Server {
    pub(crate) page: Page,
    pub(crate) guard: Guard,
    pub(crate) choice: EngineChoice,
    pub(crate) settings: EngineSettings,
    /// A permit for each engine.
    pub(crate) sockets: Arc<Semaphore>,
    /// Becomes `true` when the program ends.
    pub(crate) ended: watch::Receiver<bool>,
}

pub(crate) fn router(server: Server) -> Router {
    Router::new().route("/engine", any(engine)).fallback(file).with_state(Arc::new(server))
}

/// Why a request is refused.
fn refuse(status: StatusCode, why: &'static str) -> Response {
    let mut response = (status, why).into_response();
    harden(response.headers_mut(), "");
    response
}

/// A file of the page.
async fn file(State(server): State<Arc<Server>>, request: Request) -> Response {
    let Some(host) = server.guard.host(request.headers()) else {
        return refuse(StatusCode::MISDIRECTED_REQUEST, "this server has another name\n");
    };
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let Some(file) = server.page.file(request.uri().path()) else {
        return refuse(StatusCode::NOT_FOUND, "no such file\n");
    };
    let bytes = match file.bytes {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => Bytes::copy_from_slice(bytes),
    };
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
    harden(headers, host);
    response
}

/// Adds the headers of all answers. The page needs WebAssembly, a worker, styles on elements and, for threads that
/// share memory, isolation from other origins.
fn harden(headers: &mut HeaderMap, host: &str) {
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:; font-src 'self'; media-src 'self' data:; manifest-src 'self'; \
         worker-src 'self' blob:; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    // An empty host is in no header: such an answer is no page.
    let policy = if host.is_empty() { "default-src 'none'; frame-ancestors 'none'" } else { &policy };
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    let rest = [
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in rest {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The WebSocket of an engine, for the page of this server only.
async fn engine(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    uri: Uri,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    if server.guard.host(&headers).is_none() {
        return refuse(StatusCode::MISDIRECTED_REQUEST, "this server has another name\n");
    }
    if !server.guard.is_own_page(&headers) {
        return refuse(StatusCode::FORBIDDEN, "another page must not use the engine\n");
    }
    let Ok(upgrade) = upgrade else { return refuse(StatusCode::UPGRADE_REQUIRED, "this is a WebSocket\n") };
    // A permit first: without one, a ticket is not used up.
    let Ok(permit) = Arc::clone(&server.sockets).try_acquire_owned() else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "too many engines are running; close another page\n");
    };
    let Some(pass) = server.guard.pass(uri.query()) else {
        return refuse(StatusCode::FORBIDDEN, "the address lacks the secret of this server\n");
    };
    let token = (pass == Pass::Ticket).then(|| server.guard.token().to_owned());
    let upgrade = upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES).max_write_buffer_size(1 << 20);
    upgrade.on_upgrade(async move |socket| {
        let ended = server.ended.clone();
        socket::serve(socket, &server.choice, &server.settings, token, ended).await;
        drop(permit);
    })
}
