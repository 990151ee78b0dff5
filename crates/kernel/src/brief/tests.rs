use contract::Evidence;
use engine::readings::{Reading as Read, with_text};
use toolcall::{Caller, ToolCall};

use super::*;
use crate::RepoTools;

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
        let clock = SystemTime::now();
        let memory =
            Memory { folder: self.state.path().join("memory"), now: clock };
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
        identity: toolcall::Identity::default(),
    };
    let outcome = tools.call(&call, "other text (d1)".to_owned(), timeout).unwrap();
    assert!(outcome.result.summary.contains("direct question"), "{}", outcome.result.summary);
    assert_eq!(with_text("(d1)"), readings_of("who calls redact (d1)?"));
}

/// Returns a text for the model with 40 findings that have this summary.
fn fitted(summary: &str, max_chars: u64, of_client: Option<ContextLimit>) -> (FittedText, Limits) {
    let item = Evidence {
        tool: "ci_search".to_owned(),
        path: Some("src/auth.rs".to_owned()),
        line: None,
        symbol: None,
        title: String::new(),
        summary: summary.to_owned(),
        confidence: 0.8,
        source: String::new(),
        time: String::new(),
        version: String::new(),
        snippet: None,
        truncated: false,
    };
    let fused = Fused { items: vec![item; 40], ..Fused::default() };
    let identity = Identity {
        run_id: "run".to_owned(),
        created_at: String::new(),
        fence: Fence::new("entropy"),
    };
    let mut limits = Limits::default();
    let limit = TextLimit { max_chars, of_client };
    let fitted = fit_context(&fused, &mut limits, &identity, limit, &mut []);
    (fitted, limits)
}

#[test]
fn a24_the_text_keeps_to_the_limit_of_the_client_with_whole_findings() {
    for summary in ["x".repeat(900), "长".repeat(300), "🦀".repeat(225), "Vec<T>".repeat(75)] {
        for escapes_brackets in [false, true] {
            let limit = ContextLimit { max_bytes: 9_500, escapes_brackets };
            let (fitted, limits) = fitted(&summary, 48_000, Some(limit));
            assert!(limit.fits(&fitted.text) && fitted.text.len() > 4_000);
            let whole = fitted.text.split("\n\n").filter(|part| part.ends_with(&summary)).count();
            assert_eq!(whole, fitted.n_findings);
            assert!(fitted.truncated && limits.is_empty(), "{limits:?}");
        }
    }
}

#[test]
fn a24_a_text_over_the_character_budget_is_cut_and_reported() {
    let summary = "x".repeat(900);
    let (whole, limits) = fitted(&summary, 48_000, None);
    assert_eq!((whole.n_findings, limits.is_empty()), (40, true));
    let (cut, limits) = fitted(&summary, 5_000, None);
    assert!(cut.text.chars().count() <= 5_000 && cut.n_findings == 5);
    assert!(limits.iter().any(|limit| *limit == Limit::BudgetExceeded));
}
