//! The part of HTTP/1.1 that the clients use with a loopback server.
//!
//! A request body has a content length or is chunked. A response always has a content length, so that the connection
//! can be reused. Compression, TLS and upgrades are not supported.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use serde_json::Value;

/// The maximum size of a request body. The clients' requests are much smaller, so only a malformed request exceeds
/// it.
const MAX_BODY_BYTES: usize = 64 << 20;
const MAX_LINE_BYTES: u64 = 64 << 10;
const MAX_HEADERS: usize = 256;

pub(super) struct HttpRequest {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) body: Vec<u8>,
}

pub(super) struct HttpAnswer {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

enum Length {
    Known(usize),
    Chunked,
}

impl HttpRequest {
    /// Reads a request. Returns `None` if the client closed the connection after a complete request.
    pub(super) fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let Some(start) = read_line(reader)? else { return Ok(None) };
        let mut words = start.split(' ');
        let (Some(method), Some(target), Some(_version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(invalid(format!("not a request line: `{start}`")));
        };
        let (method, target) = (method.to_owned(), target.to_owned());
        let body = match read_headers(reader)? {
            Length::Known(length) => read_exactly(reader, length)?,
            Length::Chunked => read_chunks(reader)?,
        };
        Ok(Some(Self { method, target, body }))
    }
}

impl HttpAnswer {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        let body = body.to_string().into_bytes();
        Self { status, content_type: "application/json", headers: Vec::new(), body }
    }

    pub(super) fn stream(events: String) -> Self {
        let content_type = "text/event-stream; charset=utf-8";
        Self { status: 200, content_type, headers: Vec::new(), body: events.into_bytes() }
    }

    pub(super) fn write(&self, writer: &mut impl Write, without_body: bool) -> io::Result<()> {
        let Self { status, content_type, headers, body } = self;
        let length = body.len();
        let headers: String =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        write!(
            writer,
            "HTTP/1.1 {status} Loopback\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n{headers}\r\n"
        )?;
        if !without_body {
            writer.write_all(body)?;
        }
        Ok(())
    }
}

fn read_headers(reader: &mut impl BufRead) -> io::Result<Length> {
    let mut length = Length::Known(0);
    for _ in 0..MAX_HEADERS {
        let line = read_line(reader)?
            .ok_or_else(|| invalid("the connection closed inside the headers"))?;
        if line.is_empty() {
            return Ok(length);
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(invalid(format!("not a header: `{line}`")));
        };
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            let bytes = value.parse().map_err(|_| invalid(format!("not a length: `{value}`")))?;
            length = Length::Known(bytes);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            if !value.eq_ignore_ascii_case("chunked") {
                return Err(invalid(format!("transfer encoding `{value}` is not supported")));
            }
            length = Length::Chunked;
        }
    }
    Err(invalid(format!("the request has {MAX_HEADERS} or more headers")))
}

fn read_chunks(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line =
            read_line(reader)?.ok_or_else(|| invalid("the connection closed inside a chunk"))?;
        let digits = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(digits, 16)
            .map_err(|_| invalid(format!("not a chunk size: `{line}`")))?;
        if size == 0 {
            while read_line(reader)?.is_some_and(|trailer| !trailer.is_empty()) {}
            return Ok(body);
        }
        if body.len().saturating_add(size) > MAX_BODY_BYTES {
            return Err(invalid(format!("the body is larger than {MAX_BODY_BYTES} bytes")));
        }
        body.append(&mut read_exactly(reader, size)?);
        read_line(reader)?;
    }
}

fn read_exactly(reader: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    if length > MAX_BODY_BYTES {
        return Err(invalid(format!("the body is larger than {MAX_BODY_BYTES} bytes")));
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads a line without its line break. Returns `None` at the end of the stream.
fn read_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    if reader.take(MAX_LINE_BYTES).read_line(&mut line)? == 0 {
        return Ok(None);
    }
    if !line.ends_with('\n') {
        return Err(invalid(format!(
            "a line is incomplete, or longer than {MAX_LINE_BYTES} bytes"
        )));
    }
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message.into())
}
