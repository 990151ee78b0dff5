//! The browser's side of an HTTP connection. The test controls every header.

use std::io::{Read, Write};
use std::net::TcpStream;

use testkit::TEST_TIMEOUT;

use crate::Server;

/// A response of the server.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(':')?;
            known.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// Checks that this is the response to an unauthorized request.
    #[track_caller]
    pub(crate) fn expect_refused(&self) {
        let sentence = "Open this page with the link that `adjutant ui --link` prints.\n";
        let is_said = self.body.is_empty() || self.body == sentence;
        assert_eq!((self.status, is_said), (403, true), "{}\n{}", self.head, self.body);
        assert_eq!(self.header("set-cookie"), None);
        assert_eq!(self.header("content-type"), Some("text/plain; charset=utf-8"));
    }
}

impl Server {
    pub(crate) fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    pub(crate) fn origin(&self) -> String {
        format!("Origin: http://127.0.0.1:{}", self.port)
    }

    /// Sends a request with exactly these header lines and reads the whole response.
    pub(crate) fn send(&self, line: &str, headers: &[&str]) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let request = format!("{line} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        // If a request is too large, the server may close the connection before it has read all of it.
        let _incomplete = stream.write_all(request.as_bytes());
        let mut bytes = Vec::new();
        let _reset = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Uses the link and returns the `Cookie` header and the token of the page.
    #[track_caller]
    pub(crate) fn enter(&self) -> (String, String) {
        let reply = self.send(&format!("GET /?token={}", self.token), &[&self.host()]);
        assert_eq!(reply.status, 200, "{}", reply.head);
        let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap();
        let page = reply.body.split("name=\"page\" content=\"").nth(1).unwrap();
        (format!("Cookie: {cookie}"), page.split('"').next().unwrap().to_owned())
    }
}
