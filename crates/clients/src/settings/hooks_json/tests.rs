use super::*;

fn prompt_hook() -> Vec<Hook> {
    vec![Hook {
        matcher: None,
        event: "UserPromptSubmit",
        command: "'/opt/adjutant-hook' --client codex".to_owned(),
        timeout: 15,
    }]
}

const EXISTING: &str = r#"{
  // my model
  "model": "opus",
    "hooks": {
    "UserPromptSubmit": [
      { "hooks": [ { "type": "command", "command": "mine.sh" } ] },
    ],
    "Stop": [{"hooks":[{"type":"command","command":"bell"}]}]
  },
  "permissions": {"allow": ["Bash(ls:*)"]}
}
"#;

#[test]
fn a60_existing_settings_are_unchanged() {
    let put = put(Some(EXISTING), &prompt_hook()).unwrap();
    for line in
        ["  // my model", r#"    "Stop": [{"hooks":[{"type":"command","command":"bell"}]}]"#]
    {
        assert!(put.contains(line), "{put}");
    }
    assert!(put.contains("mine.sh") && put.contains("adjutant-hook"), "{put}");
    assert_eq!(position(&put, "UserPromptSubmit"), Some((1, 0)));
}

#[test]
fn a60_a_second_installation_changes_nothing() {
    let once = put(Some(EXISTING), &prompt_hook()).unwrap();
    let twice = put(Some(&once), &prompt_hook()).unwrap();
    assert_eq!(once.matches("adjutant-hook").count(), 1);
    assert_eq!(once, twice);
}

#[test]
fn a60_removal_keeps_other_hooks() {
    let put_in = put(Some(EXISTING), &prompt_hook()).unwrap();
    let taken = take(&put_in).unwrap();
    assert!(!taken.contains("adjutant") && taken.contains("mine.sh") && taken.contains("bell"));
    assert!(taken.contains("// my model"));
}

#[test]
fn removal_from_a_new_file_leaves_an_empty_object() {
    let put_in = put(None, &prompt_hook()).unwrap();
    let expected = r#""UserPromptSubmit":[{"hooks":[{"type":"command","command":"'/opt/adjutant-hook'--clientcodex","timeout":15}]}]"#;
    assert!(put_in.split_whitespace().collect::<String>().contains(expected), "{put_in}");
    assert_eq!(take(&put_in).unwrap().split_whitespace().collect::<String>(), "{}");
}

#[test]
fn a_file_that_cannot_be_parsed_is_refused_with_the_line() {
    let problem = put(Some("{\n  \"hooks\": [,\n}"), &prompt_hook()).unwrap_err();
    assert!(problem.to_string().starts_with("2:"), "{problem}");
    let problem = put(Some("{\"hooks\": 3}"), &prompt_hook()).unwrap_err();
    assert_eq!(problem.to_string(), "`hooks` is not an object");
    assert!(put(Some("[]"), &prompt_hook()).is_err());
}
