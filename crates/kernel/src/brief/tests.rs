use engine::readings::{RecordedReading as Read, with_text};
use toolcall::{Caller, ToolCall};

use super::*;
use crate::RepoTools;
use crate::knowledge::openings::{self, Opening};

struct Fixture {
    repository: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        let repository = tempfile::tempdir().unwrap();
        std::fs::create_dir(repository.path().join("src")).unwrap();
        let code = "pub fn redact(text: &str) {}\npub fn clean() {\n    redact(\"x\");\n}\n";
        std::fs::write(repository.path().join("src/secrets.rs"), code).unwrap();
        Self { repository, state: tempfile::tempdir().unwrap() }
    }

    fn host(&self) -> Host {
        let slowness = ("ADJUTANT_TEST_SLOWNESS".into(), "100".into());
        let tier = ("CI_AUTO_TOOLS_TIER_MAX".into(), "2".into());
        let clock = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let memory = Memory { folder: self.state.path().join("memory"), now: clock };
        Host {
            environment: Environment::new([slowness, tier]),
            working_directory: self.repository.path().to_owned(),
            started: Instant::now(),
            now: || PLAN_TIME.to_owned(),
            clock,
            entropy: "entropy".to_owned(),
            refused_folders: Vec::new(),
            cache: Some(self.state.path().join("cache")),
            hooks: HookFolders::default(),
            ledger: None,
            memory: Some(memory),
            program: None,
            parser: Parser::linked(),
            overrides: Overrides::default(),
        }
    }

    fn brief(&self, request: &Request) -> Briefed {
        brief(request, &self.host())
    }
}

fn request(prompt: &str) -> Request {
    Request { prompt: prompt.into(), session_id: Some("s".into()), ..Request::default() }
}

fn readings_of(text: &str) -> [Read; 2] {
    [Read::Query(text.to_owned()), Read::Questions(text.to_owned())]
}

#[test]
fn a_prompt_is_read_once() {
    let fixture = Fixture::new();
    // All tools that search are called: the prompt asks for callers, effects, complexity and the cause of a failure.
    let prompt = "who calls redact, what breaks if I change it, how complex is it and why does it fail with KeyError (a1)?";
    let briefed = fixture.brief(&request(prompt));
    let called: Vec<&str> =
        briefed.briefing.tool_results.iter().map(|result| result.tool.as_str()).collect();
    for tool in ["ci_search", "ci_graph_rag", "ci_call_chain", "ci_impact", "ci_complexity"] {
        assert!(called.contains(&tool), "{called:?}");
    }
    assert_eq!(with_text("(a1)"), readings_of(prompt));
}

#[test]
fn a_follow_up_is_read_once_and_once_with_its_subject() {
    let fixture = Fixture::new();
    fixture.brief(&request("where is `redact` defined (b1)?"));
    fixture.brief(&request("who calls it (b2)?"));
    let mut expected = readings_of("who calls it (b2)?").to_vec();
    expected.extend(readings_of("who calls it (b2)?\nwhere is `redact` defined (b1)?\n`redact`"));
    expected.sort();
    assert_eq!(with_text("(b2)"), expected);
}

#[test]
fn a_request_that_names_a_place_is_read_once_and_once_with_its_place() {
    let fixture = Fixture::new();
    let place =
        Request { function: Some("redact".into()), ..request("why is this function slow (c1)?") };
    fixture.brief(&place);
    let mut expected = readings_of("why is this function slow (c1)?").to_vec();
    expected.extend(readings_of("why is this function slow (c1)?\nredact"));
    expected.sort();
    assert_eq!(with_text("(c1)"), expected);
}

#[test]
fn a_tool_reads_the_query_of_its_call_once() {
    let fixture = Fixture::new();
    let tools = RepoTools::open(fixture.host(), Caller::Mcp).unwrap();
    let mut arguments = contract::Arguments::default();
    arguments.insert("query", "who calls redact (d1)?");
    let timeout = Duration::from_secs(60);
    let call = ToolCall {
        tool: "ci_graph_rag".to_owned(),
        arguments,
        timeout,
        identity: toolcall::CallIdentity::default(),
    };
    let outcome = tools.call(&call, "other text (d1)".to_owned(), timeout).unwrap();
    assert!(outcome.result.summary.contains("direct question"), "{}", outcome.result.summary);
    assert_eq!(with_text("(d1)"), readings_of("who calls redact (d1)?"));
}

#[test]
fn an_index_is_built_once_for_the_gate_and_the_tools() {
    for is_stored in [true, false] {
        let fixture = Fixture::new();
        let root = fixture.repository.path().canonicalize().unwrap();
        let host = || Host { cache: fixture.host().cache.filter(|_| is_stored), ..fixture.host() };
        let briefed = brief(&request("who calls redact?"), &host());
        assert!(!briefed.briefing.tool_results.is_empty());
        assert_eq!(openings::take(&root), [Opening::Built], "stored: {is_stored}");
    }
}

#[test]
fn a_stored_index_is_opened_once_for_the_gate_and_the_tools() {
    let fixture = Fixture::new();
    let root = fixture.repository.path().canonicalize().unwrap();
    fixture.brief(&request("who calls redact?"));
    openings::take(&root);
    fixture.brief(&request("who calls redact?"));
    assert_eq!(openings::take(&root), [Opening::AsWritten]);
    let silent = fixture.brief(&request("commit and push"));
    assert!(silent.briefing.tool_results.is_empty());
    assert_eq!(openings::take(&root), [Opening::AsWritten]);
}
