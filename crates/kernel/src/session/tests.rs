use std::time::{Duration, SystemTime};

use contract::SessionActivity;
use policy::{ConfigFile, Trust};

use super::*;
use crate::signals::read_signals;

const ROOT: &str = "/repository";

fn settings() -> Settings {
    Settings::resolve(&|_| None, &ConfigFile::default(), Trust::Never)
}

fn request(prompt: &str) -> Request {
    Request { prompt: prompt.into(), session_id: Some("s".into()), ..Request::default() }
}

fn item(path: &str, summary: &str, snippet: Option<&str>) -> Evidence {
    Evidence {
        tool: "ci_search".to_owned(),
        path: Some(path.to_owned()),
        line: Some(3),
        symbol: Some("refresh_token".to_owned()),
        title: "refresh_token".to_owned(),
        summary: summary.to_owned(),
        confidence: 0.8,
        source: "index".to_owned(),
        time: String::new(),
        version: String::new(),
        snippet: snippet.map(str::to_owned),
        truncated: false,
    }
}

fn fused(items: &[Evidence]) -> Fused {
    Fused { items: items.to_vec(), ..Fused::default() }
}

struct Fixture {
    folder: tempfile::TempDir,
    now: SystemTime,
    /// The maximum number of findings in the text for the model.
    max_findings: usize,
}

impl Fixture {
    fn new() -> Self {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        Self { folder: tempfile::tempdir().unwrap(), now, max_findings: usize::MAX }
    }

    fn memory(&self) -> Memory {
        Memory { folder: self.folder.path().to_owned(), now: self.now }
    }

    /// Handles one prompt with these findings. Returns the shown findings, the `[Limits]` message and the request to search
    /// with.
    fn prompt(
        &self,
        prompt: &str,
        items: &[Evidence],
    ) -> (Vec<Evidence>, Option<String>, Option<String>) {
        self.request(&request(prompt), items)
    }

    fn request(
        &self,
        request: &Request,
        items: &[Evidence],
    ) -> (Vec<Evidence>, Option<String>, Option<String>) {
        let memory = self.memory();
        let mut session =
            Session::recall(Some(&memory), request, Path::new(ROOT), &settings()).unwrap();
        let mut reading = read_signals(request);
        let sought = session.follow_up(&mut reading);
        let mut fused = fused(items);
        let limit = session.without_repeats(&mut fused).map(|limit| limit.to_string());
        let n_read = fused.items.len().min(self.max_findings);
        session.remember(request, &fused, n_read, true);
        (fused.items, limit, sought)
    }
}

#[test]
fn a33_findings_that_the_model_has_read_are_not_repeated() {
    let fixture = Fixture::new();
    let first = item("src/auth.rs", "fn refresh_token", Some("3| fn refresh_token() {}"));
    let second = item("src/session.rs", "calls it", None);
    let (shown, limit, _) = fixture.prompt("where is refresh_token", std::slice::from_ref(&first));
    assert_eq!((shown.len(), limit), (1, None));
    let (shown, limit, _) = fixture.prompt("and refresh_token again", &[first, second.clone()]);
    assert_eq!(shown, [second]);
    assert_eq!(
        limit.as_deref(),
        Some("shown earlier in this session, not repeated: src/auth.rs:3")
    );
}

#[test]
fn a33_a_changed_finding_is_shown_again_without_a_known_snippet() {
    let fixture = Fixture::new();
    let old = item("src/auth.rs", "fn refresh_token", Some("3| old"));
    let new = item("src/auth.rs", "fn refresh_token", Some("3| new"));
    let other_words = item("src/auth.rs", "other words", Some("3| new"));
    fixture.prompt("where is refresh_token", &[old]);
    let (shown, limit, _) = fixture.prompt("where is refresh_token", std::slice::from_ref(&new));
    assert_eq!((shown, limit), (vec![new], None));
    let (shown, _, _) = fixture.prompt("what does refresh_token return", &[other_words]);
    assert_eq!(shown[0].snippet, None, "its code is in the transcript");
}

#[test]
fn findings_that_the_client_cut_off_count_as_unread() {
    let fixture = Fixture { max_findings: 0, ..Fixture::new() };
    let first = item("src/auth.rs", "fn refresh_token", None);
    fixture.prompt("where is refresh_token", std::slice::from_ref(&first));
    let (shown, limit, _) = fixture.prompt("where is refresh_token", &[first]);
    assert_eq!((shown.len(), limit), (1, None));
}

#[test]
fn an_overflowing_briefing_count_does_not_fail() {
    let fixture = Fixture::new();
    let first = item("src/auth.rs", "fn refresh_token", None);
    fixture.prompt("where is refresh_token", std::slice::from_ref(&first));
    let file = fixture.memory().file(&request("where is refresh_token"), Path::new(ROOT)).unwrap();
    let mut remembered = crate::memory::read(&file);
    remembered.n_briefings = u64::MAX;
    remembered.shown.iter_mut().for_each(|shown| shown.briefing = u64::MAX);
    fixture.memory().write(&file, &remembered).unwrap();
    assert!(fixture.prompt("where is refresh_token", &[first]).0.is_empty(), "it was shown");
}

#[test]
fn old_findings_are_shown_again() {
    let mut fixture = Fixture::new();
    let first = item("src/auth.rs", "fn refresh_token", None);
    fixture.prompt("where is refresh_token", std::slice::from_ref(&first));
    fixture.now += Duration::from_secs(MAX_AGE_SECONDS + 1);
    assert_eq!(fixture.prompt("where is refresh_token", std::slice::from_ref(&first)).0.len(), 1);
    for n in 0..MAX_AGE_BRIEFINGS {
        fixture.prompt("where is other_name", &[item(&format!("f{n}.rs"), "s", None)]);
    }
    assert_eq!(fixture.prompt("where is refresh_token", &[first]).0.len(), 1);
}

/// Returns a request whose transcript contains a compaction this many seconds before `now`.
fn after_compaction(fixture: &Fixture, prompt: &str, seconds_ago: u64) -> Request {
    let compacted_at = Some(fixture.memory().seconds() - seconds_ago);
    let activity = SessionActivity { compacted_at, ..SessionActivity::default() };
    Request { activity: Some(activity), ..request(prompt) }
}

#[test]
fn a33_findings_are_shown_again_after_a_compaction() {
    let mut fixture = Fixture::new();
    let first = [item("src/auth.rs", "fn refresh_token", Some("3| fn refresh_token() {}"))];
    fixture.prompt("where is refresh_token", &first);
    fixture.now += Duration::from_secs(60);
    let early = after_compaction(&fixture, "where is refresh_token", 61);
    assert!(fixture.request(&early, &first).0.is_empty(), "it was shown after the compaction");
    let late = after_compaction(&fixture, "where is refresh_token", 30);
    assert_eq!(fixture.request(&late, &first).0, first);
    assert!(fixture.request(&late, &first).0.is_empty(), "it was shown after the compaction");
}

#[test]
fn a33_only_the_first_prompt_after_a_compaction_has_a_lost_subject() {
    let mut fixture = Fixture::new();
    let has_lost = |fixture: &Fixture, request: &Request| {
        let memory = fixture.memory();
        let recalled = Session::recall(Some(&memory), request, Path::new(ROOT), &settings());
        let mut session = recalled.unwrap();
        session.follow_up(&mut read_signals(request));
        let has_lost = session.has_lost_subject();
        session.remember(request, &fused(&[]), 0, true);
        has_lost
    };
    fixture.prompt("where is refresh_token", &[item("src/auth.rs", "s", None)]);
    fixture.now += Duration::from_secs(60);
    assert!(!has_lost(&fixture, &request("go on")), "there was no compaction");
    let go_on = after_compaction(&fixture, "go on", 30);
    assert!(has_lost(&fixture, &go_on));
    assert!(!has_lost(&fixture, &go_on), "the prompt before this one was the first");
    let other = Fixture::new();
    other.prompt("where is refresh_token", &[item("src/auth.rs", "s", None)]);
    let thanks = after_compaction(&other, "thanks, that works", 0);
    assert!(!has_lost(&other, &thanks), "it does not continue the work");
}

#[test]
fn a26_a_follow_up_searches_for_the_earlier_subject() {
    let first = item("src/auth.rs", "fn refresh_token", None);
    for prompt in ["who calls it?", "fix it", "what about the tests?", "谁调用它？", "继续"]
    {
        let fixture = Fixture::new();
        fixture.prompt("where is the session token renewed?", std::slice::from_ref(&first));
        let (_, _, sought) = fixture.prompt(prompt, &[]);
        let expected = format!("{prompt}\nwhere is the session token renewed?\n`refresh_token`");
        assert_eq!(sought, Some(expected));
        let (_, _, sought) = fixture.prompt("why is it slow?", &[]);
        let sought = sought.unwrap();
        assert!(sought.contains("renewed"), "a follow-up does not change the subject: {sought}");
    }
}

#[test]
fn a26_a_prompt_with_a_subject_or_without_a_request_is_not_a_follow_up() {
    let fixture = Fixture::new();
    fixture.prompt("where is the session token renewed?", &[item("src/auth.rs", "s", None)]);
    for prompt in ["thanks, that works", "explain src/main.rs, it is odd", "好的，谢谢", "it rains"]
    {
        assert_eq!(fixture.prompt(prompt, &[]).2, None, "{prompt}");
    }
    let fresh = Fixture::new();
    assert_eq!(fresh.prompt("fix it", &[]).2, None, "there is no subject yet");
}

#[test]
fn a52_session_files_contain_no_secret() {
    let fixture = Fixture::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let prompt = format!("why is the token {secret} refused by verify_login?");
    fixture.prompt(&prompt, &[item("src/auth.rs", "s", None)]);
    let file = std::fs::read_dir(fixture.folder.path()).unwrap().next().unwrap().unwrap().path();
    let kept = std::fs::read_to_string(file).unwrap();
    assert!(kept.contains("verify_login") && !kept.contains(&secret), "{kept}");
}

#[test]
fn a32_a_plan_and_a_command_of_the_client_have_no_session() {
    let fixture = Fixture::new();
    let memory = fixture.memory();
    let recalled = |request: &Request, settings: &Settings| {
        Session::recall(Some(&memory), request, Path::new(ROOT), settings).is_some()
    };
    let with = |name: &'static str, word: &'static str| {
        Settings::resolve(
            &move |asked| (asked == name).then(|| word.to_owned()),
            &ConfigFile::default(),
            Trust::Never,
        )
    };
    assert!(recalled(&request("fix the parser"), &settings()));
    assert!(!recalled(&request("fix the parser"), &with("CI_AUTO_TOOLS_MODE", "plan")));
    assert!(!recalled(&request("fix the parser"), &with("CI_AUTO_TOOLS", "off")));
    assert!(!recalled(&request("/compact"), &settings()));
    assert!(!recalled(&Request { session_id: None, ..request("fix the parser") }, &settings()));
}
