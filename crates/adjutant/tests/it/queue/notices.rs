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
fn a_webhook_is_retried_and_a_dead_receiver_delays_no_task() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook/secret", listener.local_addr().unwrap());
    // No process listens on this port.
    let dead = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    with_settings(&queue, &json!({ "notices": { "webhook": format!("http://{dead}/") } }));
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
    assert!(!text.contains("secret"), "{text}");
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
