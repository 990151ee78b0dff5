//! The responses of the server to requests that no browser would send.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use testkit::{TEST_TIMEOUT, eventually};

use crate::{ADJUTANT, Setup};

#[test]
fn nothing_is_answered_without_the_token_or_the_cookie() {
    let setup = Setup::new();
    let server = setup.serve(&[]);
    let host = server.host();
    for line in [
        "GET /",
        "GET /?token=",
        "GET /?token=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "GET /page.js",
        "GET /icon.svg",
        "GET /events",
        "GET /nothing",
        "GET /../../etc/passwd",
        "POST /job/cdx-1/stop",
        "OPTIONS *",
        "HEAD /",
    ] {
        server.send(line, &[&host]).expect_refused();
        let port = server.port;
        server.send(line, &[&host, &format!("Cookie: adjutant-{port}=0")]).expect_refused();
    }
    server.send(&format!("POST /?token={}", server.token), &[&host]).expect_refused();
    server.enter();
}

#[test]
fn the_link_works_once_and_the_cookie_is_protected() {
    let setup = Setup::new();
    let server = setup.serve(&[]);
    let (host, line) = (server.host(), format!("GET /?token={}", server.token));
    let first = server.send(&line, &[&host]);
    assert_eq!(first.status, 200);
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
    assert!(!cookie.contains(&server.token) && !first.body.contains(&server.token));
    for (name, part) in [
        ("content-security-policy", "default-src 'none'; script-src 'self'; style-src 'self'"),
        ("content-security-policy", "frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ] {
        assert!(first.header(name).is_some_and(|value| value.contains(part)), "{}", first.head);
    }
    server.send(&line, &[&host]).expect_refused();
    let cookie = format!("Cookie: {}", cookie.split(';').next().unwrap());
    let again = server.send("GET /", &[&host, &cookie]);
    assert_eq!((again.status, again.header("set-cookie")), (200, None));
}

#[test]
fn another_link_needs_the_secret_of_the_private_file() {
    let setup = Setup::new();
    let link = |arguments: &[&str]| {
        setup.launch(ADJUTANT).arguments(["ui", "--link"]).arguments(arguments).run()
    };
    let none = link(&[]);
    assert_eq!((none.exit_code, none.stdout.as_str()), (Some(20), ""), "{none:#?}");
    assert!(none.stderr.contains("hint: `adjutant ui` starts a server"), "{}", none.stderr);
    let server = setup.serve(&[]);
    let (first, _) = server.enter();
    let host = server.host();
    for control in ["X-Adjutant-Control: ", "X-Adjutant-Control: 0123456789abcdef"] {
        server.send("POST /link", &[&host, control, "Content-Length: 0"]).expect_refused();
        assert_eq!(server.send("POST /link", &[&host, &first, control]).status, 404);
    }
    let printed = link(&["--port", &server.port.to_string()]).expect_success().stdout;
    let token = printed.trim().split_once("token=").unwrap().1;
    let second = server.send(&format!("GET /?token={token}"), &[&host]);
    assert_eq!(second.status, 200);
    assert_ne!(second.header("set-cookie").unwrap().split(';').next(), first.split(' ').nth(1));
    assert_eq!(server.send("GET /", &[&host, &first]).status, 200, "both browsers have access");
}

#[test]
fn a_foreign_origin_does_not_use_up_the_link() {
    let setup = Setup::new();
    let server = setup.serve(&[]);
    let (host, line) = (server.host(), format!("GET /?token={}", server.token));
    for forged in ["Origin: http://evil.example", "Origin: null", "Origin: http://127.0.0.1:1"] {
        server.send(&line, &[&host, forged]).expect_refused();
    }
    server.enter();
}

#[test]
fn half_open_connections_do_not_block_a_browser() {
    let setup = Setup::new();
    let server = setup.serve(&[]);
    let half_open: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n").unwrap();
            stream
        })
        .collect();
    let (cookie, _) = server.enter();
    assert_eq!(server.send("GET /", &[&server.host(), &cookie]).status, 200);
    // The oldest connection was closed to make room for the newest.
    let mut oldest = &half_open[0];
    oldest.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    assert!(matches!(oldest.read(&mut [0; 64]), Ok(0) | Err(_)));
}

#[test]
fn another_host_or_origin_is_refused_even_with_the_cookie() {
    let setup = Setup::new();
    let id = setup.start_job("guarded");
    let server = setup.serve(&[]);
    let (cookie, page) = server.enter();
    let (host, origin) = (server.host(), server.origin());
    let token = format!("X-Adjutant-Page: {page}");
    for forged in ["Host: rebound.example", "Host: localhost", "Host: 127.0.0.1"] {
        let forged = if forged.contains("127") {
            forged.to_owned()
        } else {
            format!("{forged}:{}", server.port)
        };
        server.send("GET /", &[&forged, &cookie]).expect_refused();
    }
    let stop = format!("POST /job/{id}/stop");
    let events = format!("GET /events?page={page}");
    let length = "Content-Length: 0";
    for forged in ["Origin: http://evil.example", "Origin: null", "Origin: http://127.0.0.1:1"] {
        server.send(&stop, &[&host, &cookie, &token, forged, length]).expect_refused();
        server.send(&events, &[&host, &cookie, forged]).expect_refused();
        server.send("GET /", &[&host, &cookie, forged]).expect_refused();
    }
    server.send(&stop, &[&host, &cookie, &token, length]).expect_refused();
    server.send(&stop, &[&host, &cookie, &origin, length]).expect_refused();
    server.send(&stop, &[&host, &token, &origin, length]).expect_refused();
    server.send("GET /events", &[&host, &cookie]).expect_refused();
    server.send(&format!("GET /job/{id}/changes"), &[&host, &cookie]).expect_refused();
    assert_eq!(setup.job_state(&id), "running");
    let stopped = server.send(&stop, &[&host, &cookie, &token, &origin, length]);
    assert_eq!(stopped.status, 200, "{}", stopped.body);
    assert_eq!(setup.job_state(&id), "stopped");
}

#[test]
fn wrong_methods_paths_and_sizes_change_nothing() {
    let setup = Setup::new();
    let id = setup.start_job("guarded");
    let server = setup.serve(&[]);
    let (cookie, page) = server.enter();
    let (host, origin) = (server.host(), server.origin());
    let token = format!("X-Adjutant-Page: {page}");
    let all = [host.as_str(), &cookie, &token, &origin];
    let status = |line: &str, more: &[&str]| server.send(line, &[&all[..], more].concat()).status;
    assert_eq!(status(&format!("GET /job/{id}/stop"), &[]), 405);
    assert_eq!(status(&format!("DELETE /job/{id}/stop"), &[]), 405);
    assert_eq!(status("POST /events", &["Content-Length: 0"]), 405);
    for path in [
        "/../../etc/passwd",
        "/job/../../../etc/changes",
        "/job/%2e%2e%2f%2e%2e/changes",
        "/page.js/../page.rs",
        "/job//stop",
        "/events?show=job:../..",
    ] {
        let found = status(&format!("GET {path}&page={page}"), &[]);
        assert!(matches!(found, 403 | 404), "{path}: {found}");
    }
    let stop = format!("POST /job/{id}/stop");
    assert_eq!(status(&stop, &["Content-Length: 1000000000"]), 413);
    assert_eq!(status(&stop, &["Transfer-Encoding: chunked"]), 413);
    let huge = format!("X-Huge: {}", "x".repeat(1024 * 1024));
    // The response is lost if the connection is reset while the client is still writing.
    let answers =
        [status("GET /", &[&huge]), status(&format!("GET /{}", "x".repeat(100_000)), &[])];
    assert!(answers.iter().all(|status| matches!(status, 0 | 414 | 431)), "{answers:?}");
    assert_eq!(setup.job_state(&id), "running");
    assert_eq!(status("GET /", &[]), 200, "the server still answers");
}

#[test]
fn the_number_of_event_streams_is_bounded() {
    let setup = Setup::new();
    let server = setup.serve(&[]);
    let (cookie, page) = server.enter();
    let open = || {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let request =
            format!("GET /events?page={page} HTTP/1.1\r\n{}\r\n{cookie}\r\n\r\n", server.host());
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        (stream, String::from_utf8_lossy(&start).into_owned())
    };
    let mut streams: Vec<_> = (0..8).map(|_| open()).collect();
    assert!(streams.iter().all(|(_, start)| start == "HTTP/1.1 200"));
    assert_eq!(open().1, "HTTP/1.1 503");
    streams.pop();
    eventually("a closed stream no longer counts", || open().1 == "HTTP/1.1 200");
}

#[test]
fn tasks_are_changed_by_the_functions_of_the_queue() {
    let setup = Setup::new();
    let id = setup.add_task("first task");
    let server = setup.serve(&[]);
    let (cookie, page) = server.enter();
    let (host, origin) = (server.host(), server.origin());
    let token = format!("X-Adjutant-Page: {page}");
    let post = |word: &str| {
        let line = format!("POST /task/{id}/{word}");
        server.send(&line, &[&host, &cookie, &token, &origin, "Content-Length: 0"])
    };
    let state = || setup.store().task(&id).unwrap().state.word();
    let refused = post("approve");
    assert_eq!(refused.status, 409);
    assert!(refused.body.contains("is queued"), "{}", refused.body);
    assert_eq!((post("cancel").status, state()), (200, "cancelled"));
    assert_eq!((post("retry").status, state()), (200, "queued"));
}

#[test]
fn the_command_reports_what_prevents_it_and_ends_with_ctrl_c() {
    let setup = Setup::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = setup.launch(ADJUTANT).arguments(["ui", "--port", &port]).run();
    assert_eq!((refused.exit_code, refused.stdout.as_str()), (Some(20), ""), "{refused:#?}");
    assert!(refused.stderr.contains("error: cannot listen on") && refused.stderr.contains("hint:"));
    let homeless = testkit::Launch::new(ADJUTANT, setup.repository.path()).argument("ui").run();
    assert_eq!(homeless.exit_code, Some(20), "{homeless:#?}");
    assert!(homeless.stderr.contains("hint: set HOME"), "{}", homeless.stderr);
    let mut server = setup.serve(&[]);
    let id = server.program.process_id().to_string();
    setup.launch("/bin/kill").arguments(["-INT", &id]).run().expect_success();
    assert_eq!(server.program.exit_code(TEST_TIMEOUT), Some(0));
}

#[test]
fn the_browser_is_opened_only_if_asked_and_its_arguments_do_not_contain_the_token() {
    let setup = Setup::new();
    let folder = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\nprintf '%s' \"$1\" > \"${0%/*}/argument\"\ncp \"$1\" \"${0%/*}/page.tmp\"\nmv \"${0%/*}/page.tmp\" \"${0%/*}/page\"\n";
    testkit::write_executable(&folder.path().join("xdg-open"), script);
    let written = |name: &str| std::fs::read_to_string(folder.path().join(name)).ok();
    let launch = setup.launch(ADJUTANT).first_on_path(folder.path()).argument("ui");
    let silent = launch.start_piped();
    assert!(silent.read_line(TEST_TIMEOUT).is_some());
    drop(silent);
    let mut server = launch.argument("--open").start_piped();
    let link = server.read_line(TEST_TIMEOUT).unwrap();
    eventually("the browser is started", || written("page").is_some());
    assert!(written("page").unwrap().contains(&format!("url={link}\"")));
    let argument = written("argument").unwrap();
    assert!(!argument.contains(link.split_once("token=").unwrap().1), "{argument}");
    server.terminate();
    assert_eq!(server.exit_code(TEST_TIMEOUT), Some(0));
    assert!(!std::path::Path::new(&argument).exists(), "the file with the link is deleted");
}
