use serde_json::json;

use super::*;

struct Fixture {
    _folder: tempfile::TempDir,
    ledger: Ledger,
    settles: bool,
    session: &'static str,
}

impl Fixture {
    #[expect(clippy::disallowed_methods, reason = "marks have the time of the file system")]
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::in_folder(folder.path().join("calls"), SystemTime::now());
        Self { _folder: folder, ledger, settles: true, session: "s" }
    }

    fn claim(&self, side: Side, moment: ToolMoment, id: Option<&str>, query: &str) -> bool {
        let arguments = Arguments::from_client_input(json!({"query": query}));
        let identity = CallIdentity {
            tool_use_id: id.map(str::to_owned),
            session_id: (side == Side::Client).then(|| self.session.to_owned()),
            ..CallIdentity::default()
        };
        let call = ToolCall {
            tool: "ci_search".into(),
            arguments: arguments.clone(),
            timeout: Duration::MAX,
            identity,
        };
        let claim = self.ledger.claim(side, moment, &call, &arguments);
        let fires = claim.is_some();
        if let (Some(claim), true) = (claim, self.settles) {
            claim.settle();
        }
        fires
    }
}

use Side::{Client, Server};
use ToolMoment::{After, Before};

#[test]
fn b7_with_an_id_the_hooks_of_each_moment_run_once() {
    let fixture = Fixture::new();
    assert!(fixture.claim(Client, Before, Some("1"), "x"));
    assert!(!fixture.claim(Server, Before, Some("1"), "x"));
    assert!(!fixture.claim(Client, Before, Some("1"), "x"), "a second hook for the same call");
    assert!(fixture.claim(Server, After, Some("1"), "x"));
    assert!(!fixture.claim(Client, After, Some("1"), "x"));
    assert!(fixture.claim(Client, Before, Some("2"), "x"), "another call with the same arguments");
}

#[test]
fn b7_two_clients_may_use_the_same_id() {
    let mut fixture = Fixture::new();
    assert!(fixture.claim(Client, Before, Some("call_1"), "x"));
    fixture.session = "session of another client";
    assert!(fixture.claim(Client, Before, Some("call_1"), "x"));
    assert!(!fixture.claim(Client, Before, Some("call_1"), "x"));
    assert!(fixture.claim(Client, After, Some("call_1"), "x"));
    fixture.session = "s";
    assert!(fixture.claim(Client, After, Some("call_1"), "x"));
}

#[test]
fn b7_a_server_without_a_clients_mark_runs_the_hooks() {
    let fixture = Fixture::new();
    for _ in 0..2 {
        assert!(fixture.claim(Server, Before, None, "x"));
    }
    assert!(fixture.claim(Server, Before, Some("1"), "x"));
}

#[test]
fn b7_without_an_id_hooks_run_once_for_each_call() {
    let fixture = Fixture::new();
    assert!(fixture.claim(Client, Before, Some("1"), "x"));
    assert!(fixture.claim(Client, Before, Some("2"), "x"));
    let server = [(); 3].map(|()| fixture.claim(Server, Before, None, "x"));
    assert_eq!(server, [false, false, true]);
    assert!(fixture.claim(Server, After, None, "x"));
    assert!(!fixture.claim(Client, After, Some("1"), "x"));
    assert!(fixture.claim(Client, After, Some("2"), "x"));
    assert!(fixture.claim(Server, Before, None, "other arguments"));
}

#[test]
fn b7_without_an_id_two_marks_of_one_side_are_two_calls() {
    let fixture = Fixture::new();
    for _ in 0..2 {
        assert!(fixture.claim(Client, Before, None, "x"));
    }
    assert!(fixture.claim(Server, After, Some("1"), "x"));
    assert!(fixture.claim(Server, After, None, "x"));
}

#[test]
fn b7_an_old_mark_is_ignored() {
    let mut fixture = Fixture::new();
    assert!(fixture.claim(Client, Before, Some("1"), "x"));
    fixture.ledger.now += MATCH_WINDOW + Duration::from_secs(60);
    assert!(fixture.claim(Server, Before, None, "x"));
    assert!(!fixture.claim(Server, Before, Some("1"), "x"), "an id stays an id");
    fixture.ledger.now += MAX_AGE;
    assert!(fixture.claim(Server, Before, Some("1"), "x"));
}

#[test]
fn b7_a_pending_mark_of_the_client_is_ignored_by_the_server() {
    let mut fixture = Fixture::new();
    fixture.settles = false;
    assert!(fixture.claim(Client, Before, Some("1"), "x"));
    assert!(
        !fixture.claim(Client, Before, Some("1"), "x"),
        "another hook of the client stays silent"
    );
    assert!(fixture.claim(Server, Before, Some("1"), "x"));
    assert!(fixture.claim(Server, Before, None, "x"));
}

#[test]
fn b7_of_two_concurrent_claims_one_succeeds() {
    let fixture = Fixture::new();
    let won = std::thread::scope(|scope| {
        let claims: Vec<_> =
            (0..8).map(|_| scope.spawn(|| fixture.claim(Client, Before, Some("1"), "x"))).collect();
        claims.into_iter().map(|claim| claim.join().unwrap()).filter(|won| *won).count()
    });
    assert_eq!(won, 1);
}

#[test]
fn b7_hooks_run_if_the_ledger_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let mut fixture = Fixture::new();
    fixture.ledger.folder = file.join("calls");
    assert!(fixture.claim(Client, Before, Some("1"), "x"));
    assert!(fixture.claim(Server, Before, Some("1"), "x"));
}
