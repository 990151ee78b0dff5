//! Fuzzes the readers of the clients' transcripts.

use std::time::{Duration, Instant};

use clients::{CLIENTS, Client, Payload, activity_in};
use contract::SessionActivity;

/// A timeout that no input reaches, because the result must not depend on the speed of the machine.
const TIMEOUT: Duration = Duration::from_secs(3_600);

/// Reads the bytes as a transcript of each client.
pub fn transcripts(bytes: &[u8]) {
    for client in CLIENTS {
        let activity = read(client, bytes);
        if let Some(activity) = &activity {
            check_bounds(activity);
        }
        let broken = [bytes, b"\n{\"type\":\n"].concat();
        assert_eq!(read(client, &broken), activity, "a broken line changed the result");
    }
}

fn read(client: &dyn Client, bytes: &[u8]) -> Option<SessionActivity> {
    let payload = Payload { prompt: Some("now".to_owned()), ..Payload::default() };
    activity_in(client, &payload, Some("/home/me/proj"), bytes, Instant::now() + TIMEOUT)
}

fn check_bounds(activity: &SessionActivity) {
    fn check(text: &str, max_chars: usize) {
        assert!(text.chars().count() <= max_chars, "too long: {text:?}");
    }
    assert!(activity.prompts.len() <= SessionActivity::MAX_PROMPTS);
    assert!(activity.prompts.len() <= activity.n_prompts as usize);
    activity.prompts.iter().for_each(|text| check(text, SessionActivity::MAX_PROMPT_CHARS));
    assert!(activity.files.len() <= SessionActivity::MAX_FILES);
    for file in &activity.files {
        check(&file.path, SessionActivity::MAX_PATH_CHARS);
        assert!(!file.path.is_empty() && !file.path.contains(char::is_control), "{file:?}");
        assert!(file.prompts_ago <= activity.n_prompts, "{file:?}");
    }
    activity.failure.iter().for_each(|text| check(text, SessionActivity::MAX_FAILURE_CHARS));
}
