use std::time::{Duration, SystemTime};

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

fn text(fused: &Fused) -> String {
    let findings = fused.items.iter().map(|item| format!("- {}", item.summary)).collect();
    ModelText { head: "head".into(), findings, foot: "foot".into() }.text()
}

struct Talk {
    folder: tempfile::TempDir,
    now: SystemTime,
    most_units: usize,
}

impl Talk {
    fn new() -> Self {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        Self { folder: tempfile::tempdir().unwrap(), now, most_units: 9_500 }
    }

    fn memory(&self) -> Memory {
        Memory { folder: self.folder.path().to_owned(), now: self.now, most_units: self.most_units }
    }

    /// One prompt with these findings: what is left of them, what is said about the rest, and what was sought.
    fn prompt(
        &self,
        prompt: &str,
        items: &[Evidence],
    ) -> (Vec<Evidence>, Option<String>, Option<String>) {
        let memory = self.memory();
        let request = request(prompt);
        let mut session =
            Session::recall(Some(&memory), &request, Path::new(ROOT), &settings()).unwrap();
        let mut reading = read_signals(&request);
        let sought = session.follow_up(&mut reading, &request).map(|request| request.prompt);
        let mut fused = fused(items);
        let limit = session.without_repeats(&mut fused).map(|limit| limit.to_string());
        let context = text(&fused);
        session.remember(&request, &fused, &context);
        (fused.items, limit, sought)
    }
}

#[test]
fn a33_what_the_model_has_read_is_not_repeated() {
    let talk = Talk::new();
    let first = item("src/auth.rs", "fn refresh_token", Some("3| fn refresh_token() {}"));
    let second = item("src/session.rs", "calls it", None);
    let (shown, limit, _) = talk.prompt("where is refresh_token", std::slice::from_ref(&first));
    assert_eq!((shown.len(), limit), (1, None));
    let (shown, limit, _) = talk.prompt("and refresh_token again", &[first, second.clone()]);
    assert_eq!(shown, [second]);
    assert_eq!(
        limit.as_deref(),
        Some("shown earlier in this session, not repeated: src/auth.rs:3")
    );
}

#[test]
fn a33_a_changed_file_is_shown_again_and_known_code_only_once() {
    let talk = Talk::new();
    let old = item("src/auth.rs", "fn refresh_token", Some("3| old"));
    let new = item("src/auth.rs", "fn refresh_token", Some("3| new"));
    let other_words = item("src/auth.rs", "other words", Some("3| new"));
    talk.prompt("where is refresh_token", &[old]);
    let (shown, limit, _) = talk.prompt("where is refresh_token", std::slice::from_ref(&new));
    assert_eq!((shown, limit), (vec![new], None));
    let (shown, _, _) = talk.prompt("what does refresh_token return", &[other_words]);
    assert_eq!(shown[0].snippet, None, "its code is in the transcript");
}

#[test]
fn what_the_client_cut_off_was_not_read() {
    let talk = Talk { most_units: 60, ..Talk::new() };
    let long = item("src/auth.rs", &"long ".repeat(40), None);
    talk.prompt("where is refresh_token", std::slice::from_ref(&long));
    let (shown, limit, _) = talk.prompt("where is refresh_token", &[long]);
    assert_eq!((shown.len(), limit), (1, None));
}

/// A memory that somebody else wrote, or that was damaged.
#[test]
fn a_count_beyond_all_measure_is_no_end_of_the_briefing() {
    let talk = Talk::new();
    let first = item("src/auth.rs", "fn refresh_token", None);
    talk.prompt("where is refresh_token", std::slice::from_ref(&first));
    let file = talk.memory().file(&request("where is refresh_token"), Path::new(ROOT)).unwrap();
    let mut remembered = crate::memory::read(&file);
    remembered.n_briefings = u64::MAX;
    remembered.shown.iter_mut().for_each(|shown| shown.briefing = u64::MAX);
    talk.memory().write(&file, &remembered).unwrap();
    assert!(talk.prompt("where is refresh_token", &[first]).0.is_empty(), "it was shown");
}

#[test]
fn what_was_shown_long_ago_is_shown_again() {
    let mut talk = Talk::new();
    let first = item("src/auth.rs", "fn refresh_token", None);
    talk.prompt("where is refresh_token", std::slice::from_ref(&first));
    talk.now += Duration::from_secs(SECONDS + 1);
    assert_eq!(talk.prompt("where is refresh_token", std::slice::from_ref(&first)).0.len(), 1);
    for n in 0..BRIEFINGS {
        talk.prompt("where is other_name", &[item(&format!("f{n}.rs"), "s", None)]);
    }
    assert_eq!(talk.prompt("where is refresh_token", &[first]).0.len(), 1);
}

#[test]
fn a26_a_follow_up_is_about_what_was_asked_before() {
    let first = item("src/auth.rs", "fn refresh_token", None);
    for prompt in ["who calls it?", "fix it", "what about the tests?", "谁调用它？", "继续"]
    {
        let talk = Talk::new();
        talk.prompt("where is the session token renewed?", std::slice::from_ref(&first));
        let (_, _, sought) = talk.prompt(prompt, &[]);
        let expected = format!("{prompt}\nwhere is the session token renewed?\n`refresh_token`");
        assert_eq!(sought, Some(expected));
        let (_, _, sought) = talk.prompt("why is it slow?", &[]);
        let sought = sought.unwrap();
        assert!(sought.contains("renewed"), "a follow-up does not change the subject: {sought}");
    }
}

#[test]
fn a26_a_prompt_with_a_subject_or_without_a_wish_is_no_follow_up() {
    let talk = Talk::new();
    talk.prompt("where is the session token renewed?", &[item("src/auth.rs", "s", None)]);
    for prompt in ["thanks, that works", "explain src/main.rs, it is odd", "好的，谢谢", "it rains"]
    {
        assert_eq!(talk.prompt(prompt, &[]).2, None, "{prompt}");
    }
    let fresh = Talk::new();
    assert_eq!(fresh.prompt("fix it", &[]).2, None, "there is no subject yet");
}

#[test]
fn a52_what_is_remembered_has_no_secret() {
    let talk = Talk::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let prompt = format!("why is the token {secret} refused by verify_login?");
    talk.prompt(&prompt, &[item("src/auth.rs", "s", None)]);
    let file = std::fs::read_dir(talk.folder.path()).unwrap().next().unwrap().unwrap().path();
    let kept = std::fs::read_to_string(file).unwrap();
    assert!(kept.contains("verify_login") && !kept.contains(&secret), "{kept}");
}

#[test]
fn a32_a_plan_and_a_command_of_the_client_have_no_session() {
    let talk = Talk::new();
    let memory = talk.memory();
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
