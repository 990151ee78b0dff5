use serde_json::json;

use super::*;

struct Bench {
    _folder: tempfile::TempDir,
    ledger: Ledger,
    settles: bool,
}

impl Bench {
    #[expect(clippy::disallowed_methods, reason = "marks have the time of the file system")]
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::in_folder(folder.path().join("calls"), SystemTime::now());
        Self { _folder: folder, ledger, settles: true }
    }

    fn claim(&self, side: Side, moment: Moment, id: Option<&str>, query: &str) -> bool {
        let arguments = json!({"query": query}).as_object().unwrap().clone();
        let identity = Identity {
            tool_use_id: id.map(str::to_owned),
            session_id: (side == Side::Client).then(|| "s".to_owned()),
            ..Identity::default()
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

use Moment::{After, Before};
use Side::{Client, Server};

#[test]
fn b7_with_an_id_each_moment_fires_once() {
    let bench = Bench::new();
    assert!(bench.claim(Client, Before, Some("1"), "x"));
    assert!(!bench.claim(Server, Before, Some("1"), "x"));
    assert!(!bench.claim(Client, Before, Some("1"), "x"), "a second hook for the same call");
    assert!(bench.claim(Server, After, Some("1"), "x"));
    assert!(!bench.claim(Client, After, Some("1"), "x"));
    assert!(bench.claim(Client, Before, Some("2"), "x"), "another call with the same arguments");
}

#[test]
fn b7_a_server_that_is_asked_alone_fires() {
    let bench = Bench::new();
    for _ in 0..2 {
        assert!(bench.claim(Server, Before, None, "x"));
    }
    assert!(bench.claim(Server, Before, Some("1"), "x"));
}

#[test]
fn b7_without_an_id_as_many_fire_as_there_are_calls() {
    let bench = Bench::new();
    assert!(bench.claim(Client, Before, Some("1"), "x"));
    assert!(bench.claim(Client, Before, Some("2"), "x"));
    let server = [(); 3].map(|()| bench.claim(Server, Before, None, "x"));
    assert_eq!(server, [false, false, true]);
    assert!(bench.claim(Server, After, None, "x"));
    assert!(!bench.claim(Client, After, Some("1"), "x"));
    assert!(bench.claim(Client, After, Some("2"), "x"));
    assert!(bench.claim(Server, Before, None, "other arguments"));
}

#[test]
fn b7_without_an_id_two_from_the_same_side_are_two_calls() {
    let bench = Bench::new();
    for _ in 0..2 {
        assert!(bench.claim(Client, Before, None, "x"));
    }
    assert!(bench.claim(Server, After, Some("1"), "x"));
    assert!(bench.claim(Server, After, None, "x"));
}

#[test]
fn b7_a_mark_is_worth_nothing_when_its_time_is_over() {
    let mut bench = Bench::new();
    assert!(bench.claim(Client, Before, Some("1"), "x"));
    bench.ledger.now += WINDOW + Duration::from_secs(60);
    assert!(bench.claim(Server, Before, None, "x"));
    assert!(!bench.claim(Server, Before, Some("1"), "x"), "an id stays an id");
    bench.ledger.now += KEPT;
    assert!(bench.claim(Server, Before, Some("1"), "x"));
}

#[test]
fn b7_a_client_that_never_said_yes_has_not_let_the_call_pass() {
    let mut bench = Bench::new();
    bench.settles = false;
    assert!(bench.claim(Client, Before, Some("1"), "x"));
    assert!(
        !bench.claim(Client, Before, Some("1"), "x"),
        "another hook of the client stays silent"
    );
    assert!(bench.claim(Server, Before, Some("1"), "x"));
    assert!(bench.claim(Server, Before, None, "x"));
}

#[test]
fn b7_of_two_at_once_one_fires() {
    let bench = Bench::new();
    let won = std::thread::scope(|scope| {
        let claims: Vec<_> =
            (0..8).map(|_| scope.spawn(|| bench.claim(Client, Before, Some("1"), "x"))).collect();
        claims.into_iter().map(|claim| claim.join().unwrap()).filter(|won| *won).count()
    });
    assert_eq!(won, 1);
}

#[test]
fn b7_a_ledger_that_cannot_be_written_to_makes_hooks_fire() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let mut bench = Bench::new();
    bench.ledger.folder = file.join("calls");
    assert!(bench.claim(Client, Before, Some("1"), "x"));
    assert!(bench.claim(Server, Before, Some("1"), "x"));
}
