use super::*;

fn check(text: &str) -> Option<String> {
    let repository = tempfile::tempdir().unwrap();
    std::fs::create_dir(repository.path().join(".devbooks")).unwrap();
    std::fs::write(repository.path().join(PATH), text).unwrap();
    misplaced_settings(repository.path()).map(|limit| limit.to_string())
}

#[test]
fn a10_settings_in_the_wrong_file_are_reported() {
    assert_eq!(
        check("ai: {model: x}\nauto_tools:\n  tier_max: 2\n").unwrap(),
        ".devbooks/config.yaml is ignored for these settings: move `auto_tools`, `tier_max` to config/auto-tools.yaml"
    );
}

#[test]
fn a10_other_settings_in_that_file_are_ignored() {
    assert_eq!(check("ai:\n  model: x\n# tier_max: 2\n"), None);
    assert_eq!(misplaced_settings(Path::new("/nonexistent")), None);
}
