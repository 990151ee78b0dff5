use contract::FileAction::{Created, Edited, Listed, Read};

use super::*;

fn files(command: &str) -> Vec<(String, FileAction)> {
    let touched = effects(command).touched.into_iter();
    touched.map(|touch| (touch.path, touch.action)).collect()
}

#[track_caller]
fn check(command: &str, kind: CallKind, expected: &[(&str, FileAction)]) {
    let found = files(command);
    let found: Vec<_> = found.iter().map(|(path, action)| (path.as_str(), *action)).collect();
    assert_eq!(found, expected, "{command}");
    assert_eq!(effects(command).kind, kind, "{command}");
}

#[test]
fn a26_reading_commands_name_their_files() {
    check("cat src/a.rs 'b c.rs'", CallKind::Read, &[("src/a.rs", Read), ("b c.rs", Read)]);
    check("head -n 20 a.rs; tail -5 b.rs", CallKind::Read, &[("a.rs", Read), ("b.rs", Read)]);
    check("nl -ba a.rs | sed -n '1,20p'", CallKind::Read, &[("a.rs", Read)]);
    check("cd sub && cat a.rs 2>/dev/null", CallKind::Read, &[("sub/a.rs", Read)]);
    check("wc -l < a.rs", CallKind::Read, &[("a.rs", Read)]);
    check("cat $FILE *.rs ~/x `ls`", CallKind::Command, &[]);
    let lines = |command: &str| effects(command).touched[0].lines;
    assert_eq!(lines("sed -n '10,20p' a.rs"), Some((10, 20)));
    assert_eq!(lines("sed -n 7p a.rs"), Some((7, 7)));
    assert_eq!(lines("head -30 a.rs"), Some((1, 30)));
    assert_eq!(lines("head -n 30 a.rs"), Some((1, 30)));
    assert_eq!(lines("sed -n '/x/,/y/p' a.rs"), None);
}

#[test]
fn a26_searches_name_their_pattern() {
    #[track_caller]
    fn check_search(command: &str, patterns: &[&str], places: &[&str]) {
        let found = effects(command);
        assert_eq!(found.kind, CallKind::Search, "{command}");
        assert_eq!(found.searches, patterns, "{command}");
        let listed = places.iter().map(|path| ((*path).to_owned(), Listed)).collect::<Vec<_>>();
        assert_eq!(files(command), listed, "{command}");
    }
    check_search("rg -n 'fn main' src tests", &["fn main"], &["src", "tests"]);
    check_search("grep -rn --include='*.rs' -e needle .", &["needle"], &["."]);
    check_search("rg -C 3 -g '*.py' needle | head -20", &["needle"], &[]);
    check_search("git grep -n needle -- src", &["needle"], &["src"]);
    check_search("find src -name '*.rs' -o -name '*.toml'", &["*.rs", "*.toml"], &["src"]);
    check_search("rg --files src", &[], &["src"]);
    check_search("ls -la src", &[], &["src"]);
}

#[test]
fn a26_editing_commands_name_their_files() {
    check("sed -i 's/a/b/' a.rs", CallKind::Edit, &[("a.rs", Edited)]);
    check("cat > new.rs <<'EOF'\ncat other.rs\nEOF", CallKind::Edit, &[("new.rs", Created)]);
    check("echo x >> a.txt", CallKind::Edit, &[("a.txt", Edited)]);
    check("make 2>&1 | tee log", CallKind::Command, &[]);
    check("cargo test > /dev/null 2> log", CallKind::Command, &[]);
    check("sed -i s/a/b/ a.rs && cargo test", CallKind::Edit, &[("a.rs", Edited)]);
    assert!(effects("sed -i s/a/b/ a.rs && cargo test").runs_program);
}

#[test]
fn a26_other_commands_run_programs() {
    for command in ["cargo test", "", "'unclosed", "x=1 make", "true", "((", "cat", "echo 'a;b'"] {
        check(command, CallKind::Command, &[]);
    }
}
