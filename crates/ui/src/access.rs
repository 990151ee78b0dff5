//! Decides which requests are answered. Checks the one-time token in the link that opens the page, the cookie that
//! replaces it, the tokens of open pages, and the `Host` and `Origin` headers.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hyper::header::{COOKIE, HOST, HeaderName, ORIGIN};
use hyper::{Method, Request};
use loopback::{is_same_secret, values};

use crate::running::CONTROL_HEADER;

/// The maximum number of browsers. Opening the page in another browser ends the access of the oldest one.
const MAX_BROWSERS: usize = 8;
/// The maximum number of open pages. Opening another page invalidates the oldest page's token.
const MAX_PAGES: usize = 16;
/// The header that contains the page's token.
pub(crate) const PAGE_HEADER: &str = "x-adjutant-page";

pub(crate) struct Access {
    /// The server's address, such as `127.0.0.1:4000`. It is the only accepted `Host`.
    authority: String,
    origin: String,
    /// The cookie's name. It contains the port, because a browser sends a cookie to all ports of its host.
    cookie_name: String,
    /// The secret of the programs that may ask for a new link.
    control: String,
    secret: fn() -> io::Result<String>,
    state: Mutex<State>,
}

struct State {
    /// The token in the link that opens the page. `None` once the token has been used.
    token: Option<String>,
    /// The cookies of the browsers that used a token, oldest first.
    cookies: VecDeque<String>,
    /// The tokens of open pages, oldest first.
    pages: VecDeque<String>,
}

impl Access {
    pub(crate) fn new(port: u16, secret: fn() -> io::Result<String>) -> io::Result<Self> {
        let authority = format!("127.0.0.1:{port}");
        let state =
            State { token: Some(secret()?), cookies: VecDeque::new(), pages: VecDeque::new() };
        Ok(Self {
            origin: format!("http://{authority}"),
            cookie_name: format!("adjutant-{port}"),
            authority,
            control: secret()?,
            secret,
            state: Mutex::new(state),
        })
    }

    /// Returns the link that opens the user interface. The token in it can be used only once.
    pub(crate) fn link(&self) -> String {
        let state = self.state();
        let token = state.token.as_deref().unwrap_or_default();
        format!("{}/?token={token}", self.origin)
    }

    /// Creates a new link, which replaces a link that has not been used.
    pub(crate) fn new_link(&self) -> io::Result<String> {
        let token = (self.secret)()?;
        self.state().token = Some(token);
        Ok(self.link())
    }

    pub(crate) fn control(&self) -> &str {
        &self.control
    }

    /// Returns whether the request comes from a program that knows the control secret. A browser cannot send it.
    pub(crate) fn may_control<B>(&self, request: &Request<B>) -> bool {
        let shown = values(request, HeaderName::from_static(CONTROL_HEADER));
        matches!(shown[..], [Some(shown)] if is_same(&self.control, shown))
    }

    /// Returns whether the request's `Host` header names this server. This check prevents DNS rebinding: if another
    /// site's name resolves to this machine, the browser sends that site's name.
    pub(crate) fn is_addressed<B>(&self, request: &Request<B>) -> bool {
        let target = request.uri().authority();
        target.is_none_or(|target| target.as_str() == self.authority)
            && matches!(values(request, HOST)[..], [Some(host)] if host == self.authority)
    }

    /// Exchanges the token in the link for a cookie. Returns the `Set-Cookie` header, or `None` if the request does not
    /// contain the token or the token has already been used.
    pub(crate) fn exchange<B>(&self, request: &Request<B>) -> Option<String> {
        if request.method() != Method::GET || request.uri().path() != "/" {
            return None;
        }
        let shown = parameter(request, "token")?;
        let mut state = self.state();
        if !state.token.as_deref().is_some_and(|token| is_same(token, shown)) {
            return None;
        }
        let cookie = (self.secret)().ok()?;
        state.token = None;
        let header = format!("{}={cookie}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name);
        if state.cookies.len() >= MAX_BROWSERS {
            state.cookies.pop_front();
        }
        state.cookies.push_back(cookie);
        Some(header)
    }

    /// Returns whether the request contains the cookie.
    pub(crate) fn has_cookie<B>(&self, request: &Request<B>) -> bool {
        let state = self.state();
        let shown = values(request, COOKIE);
        let pairs = shown.iter().flatten().flat_map(|header| header.split(';'));
        pairs
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(name, _)| *name == self.cookie_name)
            .any(|(_, value)| state.cookies.iter().any(|own| is_same(own, value)))
    }

    /// Returns whether the request may come from a page of this server: its `Origin` header is absent or names this
    /// server. Browsers omit the header when a page reads from its own server.
    pub(crate) fn may_be_own<B>(&self, request: &Request<B>) -> bool {
        values(request, ORIGIN).is_empty() || self.has_own_origin(request)
    }

    /// Returns whether the header [`PAGE_HEADER`] of the request contains the token of an open page.
    pub(crate) fn may_read<B>(&self, request: &Request<B>) -> bool {
        let shown = values(request, HeaderName::from_static(PAGE_HEADER));
        matches!(shown[..], [Some(shown)] if self.is_page(shown))
    }

    /// Returns whether the request comes from an open page of this server: its `Origin` names this server, and it
    /// contains the page's token. A browser sends an `Origin` with every request that can change data.
    pub(crate) fn may_change<B>(&self, request: &Request<B>) -> bool {
        self.has_own_origin(request) && self.may_read(request)
    }

    /// Returns whether the request's query contains the token of an open page. The token is in the query because
    /// `EventSource` cannot send headers.
    pub(crate) fn may_follow<B>(&self, request: &Request<B>) -> bool {
        parameter(request, "page").is_some_and(|page| self.is_page(page))
    }

    /// Creates and returns the token of a new page.
    pub(crate) fn open_page(&self) -> io::Result<String> {
        let page = (self.secret)()?;
        let mut state = self.state();
        if state.pages.len() >= MAX_PAGES {
            state.pages.pop_front();
        }
        state.pages.push_back(page.clone());
        Ok(page)
    }

    fn is_page(&self, shown: &str) -> bool {
        self.state().pages.iter().any(|page| is_same(page, shown))
    }

    fn has_own_origin<B>(&self, request: &Request<B>) -> bool {
        matches!(values(request, ORIGIN)[..], [Some(origin)] if origin == self.origin)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the value of a query parameter without decoding it, or `None` if the parameter is missing. The values are
/// ids and tokens, which contain no escaped characters.
pub(crate) fn parameter<'r, B>(request: &'r Request<B>, name: &str) -> Option<&'r str> {
    let pairs = request.uri().query()?.split('&');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

fn is_same(own: &str, shown: &str) -> bool {
    is_same_secret(own.as_bytes(), shown.as_bytes())
}

#[cfg(test)]
mod tests;
