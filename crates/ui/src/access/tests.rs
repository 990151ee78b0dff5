use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

fn secret() -> io::Result<String> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    Ok(format!("{:064x}", NEXT.fetch_add(1, Ordering::Relaxed)))
}

fn request(method: Method, target: &str, headers: &[(&str, &str)]) -> Request<()> {
    let request = Request::builder().method(method).uri(target);
    let add = |request: hyper::http::request::Builder, (name, value): &(&str, &str)| {
        request.header(*name, *value)
    };
    headers.iter().fold(request, add).body(()).unwrap()
}

fn access() -> Access {
    Access::new(4000, secret).unwrap()
}

const HERE: (&str, &str) = ("host", "127.0.0.1:4000");

#[test]
fn only_the_exact_address_of_the_server_is_its_host() {
    let access = access();
    assert!(access.is_addressed(&request(Method::GET, "/", &[HERE])));
    for headers in [
        &[][..],
        &[HERE, HERE],
        &[("host", "127.0.0.1")],
        &[("host", "127.0.0.1:4001")],
        &[("host", "localhost:4000")],
        &[("host", "rebound.example:4000")],
        &[("host", "127.0.0.1:4000.evil.example")],
    ] {
        assert!(!access.is_addressed(&request(Method::GET, "/", headers)), "{headers:?}");
    }
    assert!(!access.is_addressed(&request(Method::GET, "http://evil.example/", &[HERE])));
}

#[test]
fn the_link_is_exchanged_once_and_only_by_a_get() {
    let access = access();
    let target = access.link().split_once("4000").unwrap().1.to_owned();
    let get = |target: &str| access.exchange(&request(Method::GET, target, &[HERE]));
    assert_eq!(get("/"), None);
    assert_eq!(get("/?token="), None);
    assert_eq!(get(&target[..target.len() - 1]), None);
    assert_eq!(get(&format!("/page.js{}", &target[1..])), None);
    assert_eq!(access.exchange(&request(Method::POST, &target, &[HERE])), None);
    let cookie = get(&target).unwrap();
    assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
    assert_eq!(get(&target), None);
    let pair = cookie.split(';').next().unwrap();
    assert!(access.has_cookie(&request(Method::GET, "/", &[("cookie", &format!("a=b; {pair}"))])));
    for other in ["", "adjutant-4000=", "adjutant-4000=0", &pair.replace("4000", "4001")] {
        assert!(!access.has_cookie(&request(Method::GET, "/", &[("cookie", other)])), "{other}");
    }
}

#[test]
fn a_change_needs_the_origin_and_the_token_of_an_open_page() {
    let access = access();
    let page = access.open_page().unwrap();
    let own = ("origin", "http://127.0.0.1:4000");
    let token = (PAGE_HEADER, page.as_str());
    let may = |headers: &[(&str, &str)]| access.may_change(&request(Method::POST, "/x", headers));
    assert!(may(&[own, token]));
    for headers in [
        &[][..],
        &[own],
        &[token],
        &[own, (PAGE_HEADER, "0")],
        &[own, token, token],
        &[("origin", "null"), token],
        &[("origin", "http://127.0.0.1:4001"), token],
        &[("origin", "http://localhost:4000"), token],
        &[own, own, token],
    ] {
        assert!(!may(headers), "{headers:?}");
    }
    let follow =
        |query: &str| access.may_follow(&request(Method::GET, &format!("/events{query}"), &[]));
    assert!(follow(&format!("?page={page}")) && !follow("") && !follow("?page=0"));
    let own_or_none =
        |headers: &[(&str, &str)]| access.may_be_own(&request(Method::GET, "/events", headers));
    assert!(own_or_none(&[]) && own_or_none(&[own]));
    assert!(!own_or_none(&[("origin", "http://evil.example")]) && !own_or_none(&[own, own]));
}

#[test]
fn a_new_page_replaces_the_oldest() {
    let access = access();
    let first = access.open_page().unwrap();
    let second = access.open_page().unwrap();
    for _ in 2..=MAX_PAGES {
        access.open_page().unwrap();
    }
    assert!(!access.is_page(&first) && access.is_page(&second));
}
