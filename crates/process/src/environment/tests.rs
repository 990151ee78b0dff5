use super::*;

fn environment(names: &[&str]) -> Environment {
    Environment::new(names.iter().map(|name| (OsString::from(name), OsString::from("value"))))
}

#[test]
fn variables_with_secret_names_are_removed() {
    let all = [
        "PATH",
        "ANTHROPIC_API_KEY",
        "CLAUDE_CODE_MESSAGING_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "LANG",
        "db_password",
    ];
    let kept: Vec<String> =
        environment(&all).without_secrets().names().map(str::to_owned).collect();
    assert_eq!(kept, ["LANG", "PATH"]);
}

#[test]
fn the_agent_socket_is_not_a_secret() {
    assert_eq!(
        environment(&["SSH_AUTH_SOCK"]).without_secrets().text("SSH_AUTH_SOCK"),
        Some("value")
    );
}

#[test]
fn the_git_author_is_not_a_secret() {
    let kept = environment(&["GIT_AUTHOR_NAME", "GIT_CONFIG_KEY_0", "GIT_TOKEN"]).without_secrets();
    assert_eq!(kept.names().collect::<Vec<_>>(), ["GIT_AUTHOR_NAME", "GIT_CONFIG_KEY_0"]);
}

#[test]
fn an_empty_value_counts_as_absent() {
    let environment = Environment::default().with("CI_AUTO_TOOLS", "");
    assert_eq!(environment.text("CI_AUTO_TOOLS"), None);
}

#[test]
fn a54_relative_folders_are_removed_from_path() {
    let environment =
        Environment::default().with("PATH", ".:/usr/bin::bin:/bin:").with_absolute_path();
    assert_eq!(environment.text("PATH"), Some("/usr/bin:/bin"));
    assert_eq!(Environment::default().with_absolute_path(), Environment::default());
    for relative in [".", "", "bin:node_modules/.bin"] {
        let cleaned = Environment::default().with("PATH", relative).with_absolute_path();
        assert_eq!(cleaned.text("PATH"), Some("/usr/bin:/bin"), "{relative}");
    }
}
