//! Notices to the user's program and to webhooks.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use serde_json::{Value, json};
use testkit::{ShellScript, eventually};

use super::{CHANGES_A_FILE, Queue};

fn with_settings(queue: &Queue, settings: &Value) {
    let folder = queue.folder.path().join(".config/adjutant");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("queue.json"), settings.to_string()).unwrap();
}

#[test]
fn the_program_in_the_users_settings_gets_one_object_for_each_notice() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let receiver = ShellScript::new("cat >> \"${0%/*}/notices\"; echo >> \"${0%/*}/notices\"");
    with_settings(&queue, &json!({ "notices": { "program": receiver.path() } }));
    // A file of the same name in the repository has no effect.
    fs::create_dir_all(queue.repository.join(".config/adjutant")).unwrap();
    fs::write(queue.repository.join(".config/adjutant/queue.json"), "{ not json").unwrap();
    let id = queue.add(&["--task", "one"]);
    queue.work();
    let notices = receiver.note("notices").unwrap();
    let notice: Value = serde_json::from_str(notices.trim()).expect("one object");
    assert_eq!((&notice["event"], &notice["task"]), (&json!("finished"), &json!(id)));
    assert_eq!(notice["branch"], format!("adjutant/{id}"));
    let shown = queue.show(&id);
    let recorded = &shown["notices"][0];
    let name = format!("program {}", receiver.path().display());
    assert_eq!(recorded["delivered_to"], json!([name]), "{shown:#}");
}

#[test]
fn every_event_that_concerns_a_person_sends_a_notice() {
    let queue = Queue::doing(
        "thread; case $(cat \"$here/prompt.$n\") in
         *alpha*) message more; completed ;;
         *beta*) failed 'approval required for command: rm'; exit 1 ;;
         *gamma*) failed 'invalid request'; exit 1 ;;
         *delta*) failed 'You have hit your usage limit. Try again in 2 hours.'; exit 1 ;;
         *) message 'Done.'; completed ;; esac",
    );
    let receiver = ShellScript::new("cat >> \"${0%/*}/notices\"; echo >> \"${0%/*}/notices\"");
    with_settings(&queue, &json!({ "notices": { "program": receiver.path() } }));
    let repeat = ["--repeat-until", "ALL DONE", "--max-runs", "2", "--max-turns", "1"];
    let tasks = [
        ("budget", queue.add(&[&["--task", "alpha"][..], &repeat].concat())),
        ("needs-approval", queue.add(&["--task", "beta"])),
        ("failed", queue.add(&["--task", "gamma"])),
        ("waiting", queue.add(&["--task", "delta"])),
        ("finished", queue.add(&["--task", "epsilon"])),
    ];
    let worker = queue.launch("work").start_piped();
    eventually("every task has a notice", || {
        receiver.note("notices").is_some_and(|notices| notices.lines().count() == tasks.len())
    });
    drop(worker);
    let notices = receiver.note("notices").unwrap();
    for (event, id) in tasks {
        let notices = notices.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let notice = notices.into_iter().find(|notice| notice["task"] == id.as_str()).unwrap();
        assert_eq!(notice["event"], event, "{notice:#}");
        assert!(notice["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{notice:#}");
        assert_eq!(notice["waiting_until"].is_i64(), event == "waiting", "{notice:#}");
    }
}

#[test]
fn a_webhook_is_retried_and_a_dead_receiver_delays_no_task() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook/secret", listener.local_addr().unwrap());
    // No process listens on this port.
    with_settings(&queue, &json!({ "notices": { "webhook": "http://127.0.0.1:1/" } }));
    let server = std::thread::spawn(move || {
        let mut bodies = Vec::new();
        for status in ["500 Internal Server Error", "200 OK"] {
            let (mut stream, _) = listener.accept().unwrap();
            bodies.push(body(&stream));
            write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                .unwrap();
        }
        bodies
    });
    let id = queue.add(&["--task", "one", "--webhook", &url]);
    queue.work();
    let shown = queue.show(&id);
    assert_eq!(shown["task"]["state"], "finished");
    assert_eq!(shown["notices"][0]["tries"], 1, "{shown:#}");
    // A worker that waits for tasks retries the delivery.
    let worker = queue.launch("work").start_piped();
    let bodies = server.join().unwrap();
    let body: Value = serde_json::from_str(&bodies[1]).unwrap();
    assert_eq!((bodies[0] == bodies[1], &body["task"]), (true, &json!(id)));
    eventually("the delivery is recorded", || {
        queue.show(&id)["notices"][0]["delivered_to"].as_array().unwrap().len() == 1
    });
    drop(worker);
    let text = queue.run("show", &[&id]).expect_success().stdout;
    assert!(text.contains("notice      finished · tried"), "{text}");
    let host = url.split_once("/hook").unwrap().0;
    assert!(text.contains(&format!("webhook     {host}\n")), "{text}");
    for command in [&["show", id.as_str(), "--json"][..], &["list", "--json"]] {
        let json = queue.run(command[0], &command[1..]).expect_success().stdout;
        assert!(json.contains(&format!("\"webhook\": \"{host}\"")), "{json}");
        assert!(!json.contains("secret") && !text.contains("secret"), "{json}");
    }
}

#[test]
fn the_desktop_shows_a_notice_as_plain_text() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let folder = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"${0%/*}/words\"\n";
    testkit::write_executable(&folder.path().join("notify-send"), script);
    with_settings(&queue, &json!({ "notices": { "desktop": true } }));
    let id = queue.add(&["--task", "--help <b>bold</b> & more"]);
    let worker = queue.launch("work").arguments(["--until-empty"]).first_on_path(folder.path());
    worker.run().expect_success();
    let words = fs::read_to_string(folder.path().join("words")).unwrap();
    let wanted = format!(
        "--app-name=Adjutant\n--\nAdjutant: {id} finished\n\
         --help &lt;b&gt;bold&lt;/b&gt; &amp; more\nRun completed normally\n"
    );
    assert_eq!(words, wanted);
    let shown = queue.show(&id);
    assert_eq!(shown["notices"][0]["delivered_to"], json!(["desktop"]), "{shown:#}");
}

#[test]
fn a_missing_notify_send_is_recorded_and_holds_nothing() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let programs = tempfile::tempdir().unwrap();
    for program in ["git", "sh", "sed", "awk", "cat"] {
        let found = ["/usr/bin", "/bin"].map(|folder| std::path::Path::new(folder).join(program));
        let found = found.iter().find(|path| path.exists()).unwrap();
        std::os::unix::fs::symlink(found, programs.path().join(program)).unwrap();
    }
    let path = format!("{}:{}", queue.codex.folder().display(), programs.path().display());
    with_settings(&queue, &json!({ "notices": { "desktop": true } }));
    let id = queue.add(&["--task", "one"]);
    queue.launch("work").arguments(["--until-empty"]).env("PATH", path).run().expect_success();
    let shown = queue.show(&id);
    assert_eq!(shown["task"]["state"], "finished", "{shown:#}");
    let error = shown["notices"][0]["error"].as_str().unwrap();
    assert!(error.starts_with("desktop: ") && error.contains("notify-send"), "{error}");
}

fn body(stream: &std::net::TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn wrong_settings_are_an_error_before_a_task_is_taken() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let id = queue.add(&["--task", "one"]);
    for (settings, message) in [
        (json!({ "notice": {} }), "unknown field `notice`"),
        (json!({ "notices": { "program": "relative" } }), "is not an absolute path"),
        (json!({ "notices": { "webhook": "http://example.org" } }), "a webhook needs"),
    ] {
        with_settings(&queue, &settings);
        let refused = queue.run("work", &["--until-empty"]);
        assert_eq!(refused.exit_code, Some(20), "{}", refused.stderr);
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
    with_settings(&queue, &json!({}));
    assert_eq!(queue.task(&id)["state"], "queued");
}
