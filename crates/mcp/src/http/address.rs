//! Checks that the `Host` and `Origin` headers name this machine. The whole value must be a host with an optional port.

use hyper::Request;
use hyper::header::{HOST, ORIGIN};
use loopback::values;

const HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
const SCHEMES: [&str; 2] = ["http://", "https://"];

/// Returns the reason to refuse a request, or `None` if the request is accepted. The headers show whether another web
/// site sent the request, for example with DNS rebinding.
pub(super) fn refusal<B>(request: &Request<B>) -> Option<&'static str> {
    let target = request.uri().authority();
    let target_is_own = target.is_none_or(|authority| is_own_authority(authority.as_str()));
    if !target_is_own
        || !matches!(values(request, HOST)[..], [Some(host)] if is_own_authority(host))
    {
        return Some("Forbidden: Host header is not allowed\n");
    }
    match values(request, ORIGIN)[..] {
        [] => None,
        [Some(origin)] if is_own_origin(origin) => None,
        _ => Some("Forbidden: Origin header is not allowed\n"),
    }
}

fn is_own_origin(origin: &str) -> bool {
    SCHEMES.iter().filter_map(|scheme| origin.strip_prefix(scheme)).any(is_own_authority)
}

fn is_own_authority(authority: &str) -> bool {
    HOSTS.iter().any(|host| {
        let named = authority.get(..host.len()).filter(|named| named.eq_ignore_ascii_case(host));
        named.is_some_and(|named| is_port_or_nothing(&authority[named.len()..]))
    })
}

fn is_port_or_nothing(rest: &str) -> bool {
    rest.is_empty()
        || rest.strip_prefix(':').is_some_and(|port| {
            port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headers: &[(&str, &str)]) -> Request<()> {
        let request = Request::builder().uri("/mcp");
        let add = |request: hyper::http::request::Builder, (name, value): &(&str, &str)| {
            request.header(*name, *value)
        };
        headers.iter().fold(request, add).body(()).unwrap()
    }

    #[test]
    fn c4_only_a_complete_loopback_host_name_is_accepted() {
        for own in ["localhost", "LocalHost:80", "127.0.0.1:65535", "[::1]", "[::1]:7355"] {
            assert!(is_own_authority(own), "{own}");
        }
        for other in [
            "[::1].evil",
            "[::1]evil:80",
            "[::1",
            "::1",
            "localhost.",
            "localhost.evil",
            "localhost:",
            "localhost:99999",
            "localhost:80x",
            "localhost:+80",
            "localhost:80:80",
            "user@localhost",
            "localhost@evil",
            "127.0.0.1.evil",
            "127.0.0.10",
            "0.0.0.0",
            "",
            " localhost",
            "localhost ",
        ] {
            assert!(!is_own_authority(other), "{other}");
        }
    }

    #[test]
    fn c4_a_request_names_one_host_and_at_most_one_origin() {
        let own = ("host", "localhost:1");
        assert_eq!(refusal(&request(&[own])), None);
        assert_eq!(refusal(&request(&[own, ("origin", "https://[::1]:8")])), None);
        for refused in [
            &[][..],
            &[own, own],
            &[own, ("origin", "null")],
            &[own, ("origin", "http://localhost:99999x")],
            &[own, ("origin", "http://localhost:1/path")],
            &[own, ("origin", "http://localhost"), ("origin", "http://localhost")],
            &[own, ("origin", "localhost")],
        ] {
            assert!(refusal(&request(refused)).is_some(), "{refused:?}");
        }
        let mut elsewhere = request(&[own]);
        *elsewhere.uri_mut() = "http://evil.example/mcp".parse().unwrap();
        assert!(refusal(&elsewhere).is_some());
    }
}
