//! Builds the server's responses and their headers.

use std::convert::Infallible;

use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::{Response, StatusCode};
use loopback::{HttpResponse, plain};
use serde::Serialize;

/// The content security policy. The page can load scripts, styles and images only from its own server, and can connect
/// only to it. With Trusted Types, the browser rejects a script that assigns a string as HTML.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

/// The body of the response to an unauthorized request.
const REFUSED: &str = "Open this page with the link that `adjutant ui --link` prints.\n";

/// Returns the response to an unauthorized request. The response does not depend on the request.
pub(crate) fn refused() -> HttpResponse {
    let mut answer = plain(StatusCode::FORBIDDEN, REFUSED);
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(CONTENT_TYPE, kind);
    answer
}

pub(crate) fn empty(status: StatusCode) -> HttpResponse {
    plain(status, "")
}

pub(crate) fn wrong_method(allowed: &'static str) -> HttpResponse {
    let mut answer = empty(StatusCode::METHOD_NOT_ALLOWED);
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    answer
}

pub(crate) fn text(kind: &'static str, text: impl Into<Bytes>) -> HttpResponse {
    body(kind, Full::new(text.into()))
}

pub(crate) fn body(
    kind: &'static str,
    body: impl Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
) -> HttpResponse {
    let mut answer = Response::new(body.boxed());
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> HttpResponse {
    let Ok(text) = serde_json::to_vec(value) else {
        return empty(StatusCode::INTERNAL_SERVER_ERROR);
    };
    let mut answer = self::text("application/json", text);
    *answer.status_mut() = status;
    answer
}
