use super::*;

fn prompt_hook() -> Vec<Hook> {
    vec![Hook {
        event: "UserPromptSubmit",
        command: "'/opt/adjutant-hook' --client codex".to_owned(),
        timeout_seconds: 15,
    }]
}

const SOMEBODYS: &str = r#"{
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
fn a60_what_is_there_stays_as_it_is() {
    let put = put(Some(SOMEBODYS), &prompt_hook()).unwrap();
    for line in
        ["  // my model", r#"    "Stop": [{"hooks":[{"type":"command","command":"bell"}]}]"#]
    {
        assert!(put.contains(line), "{put}");
    }
    assert!(put.contains("mine.sh") && put.contains("adjutant-hook"), "{put}");
    assert_eq!(super::place(&put, "UserPromptSubmit"), Some((1, 0)));
}

#[test]
fn a60_twice_is_once() {
    let once = put(Some(SOMEBODYS), &prompt_hook()).unwrap();
    let twice = put(Some(&once), &prompt_hook()).unwrap();
    assert_eq!(once.matches("adjutant-hook").count(), 1);
    assert_eq!(once, twice);
}

#[test]
fn a60_taking_out_leaves_the_others() {
    let put_in = put(Some(SOMEBODYS), &prompt_hook()).unwrap();
    let taken = take(&put_in).unwrap();
    assert!(!taken.contains("adjutant") && taken.contains("mine.sh") && taken.contains("bell"));
    assert!(taken.contains("// my model"));
}

#[test]
fn nothing_is_left_of_an_empty_beginning() {
    let put_in = put(None, &prompt_hook()).unwrap();
    let value: serde_json::Value = serde_json::from_str(&put_in).unwrap();
    assert_eq!(value["hooks"]["UserPromptSubmit"][0]["hooks"][0]["timeout"], 15);
    assert_eq!(take(&put_in).unwrap().split_whitespace().collect::<String>(), "{}");
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let problem = put(Some("{\n  \"hooks\": [,\n}"), &prompt_hook()).unwrap_err();
    assert!(problem.to_string().starts_with("2:"), "{problem}");
    let problem = put(Some("{\"hooks\": 3}"), &prompt_hook()).unwrap_err();
    assert_eq!(problem.to_string(), "`hooks` is not an object");
    assert!(put(Some("[]"), &prompt_hook()).is_err());
}
