use contract::FileAction::{Created, Edited, Listed, Read};

use super::*;

fn files(command: &str) -> Vec<(String, FileAction)> {
    let touched = effects(command).touched.into_iter();
    touched.map(|touch| (touch.path, touch.action)).collect()
}

#[track_caller]
fn check(command: &str, runs_program: bool, expected: &[(&str, FileAction)]) {
    let found = files(command);
    let found: Vec<_> = found.iter().map(|(path, action)| (path.as_str(), *action)).collect();
    assert_eq!(found, expected, "{command}");
    assert_eq!(effects(command).runs_program, runs_program, "{command}");
}

#[test]
fn a26_reading_commands_name_their_files() {
    check("cat src/a.rs 'b c.rs'", false, &[("src/a.rs", Read), ("b c.rs", Read)]);
    check("head -n 20 a.rs; tail -5 b.rs", false, &[("a.rs", Read), ("b.rs", Read)]);
    check("nl -ba a.rs | sed -n '1,20p'", false, &[("a.rs", Read)]);
    check("cd sub && cat a.rs 2>/dev/null", false, &[("sub/a.rs", Read)]);
    check("wc -l < a.rs", false, &[("a.rs", Read)]);
    check("cat $FILE *.rs ~/x `ls`", true, &[]);
    let lines = |command: &str| effects(command).touched[0].lines;
    assert_eq!(lines("sed -n '10,20p' a.rs"), Some((10, 20)));
    assert_eq!(lines("sed -n 7p a.rs"), Some((7, 7)));
    assert_eq!(lines("head -30 a.rs"), Some((1, 30)));
    assert_eq!(lines("head -n 30 a.rs"), Some((1, 30)));
    assert_eq!(lines("sed -n '/x/,/y/p' a.rs"), None);
}

#[test]
fn a26_searches_name_their_places() {
    #[track_caller]
    fn check_search(command: &str, places: &[&str]) {
        let listed: Vec<_> = places.iter().map(|path| (*path, Listed)).collect();
        check(command, false, &listed);
    }
    check_search("rg -n 'fn main' src tests", &["src", "tests"]);
    check_search("grep -rn --include='*.rs' -e needle .", &["."]);
    check_search("rg -C 3 -g '*.py' needle | head -20", &[]);
    check_search("git grep -n needle -- src", &["src"]);
    check_search("find src -name '*.rs' -o -name '*.toml'", &["src"]);
    check_search("find -name '*.rs'", &[]);
    check_search("rg --files src", &["src"]);
    check_search("ls -la src", &["src"]);
    check_search("rg '<Button' \"=> {\" 2>&1", &[]);
    check_search("rg '>' src 2>/dev/null", &["src"]);
    for command in ["rg --files", "find", "ls"] {
        check(command, true, &[]);
    }
}

#[test]
fn a26_editing_commands_name_their_files() {
    check("sed -i 's/a/b/' a.rs", false, &[("a.rs", Edited)]);
    check("cat > new.rs <<'EOF'\ncat other.rs\nEOF", false, &[("new.rs", Created)]);
    check("echo x >> a.txt", false, &[("a.txt", Edited)]);
    check(
        "make &>out.txt; make >out2.txt 2>&1",
        true,
        &[("out.txt", Created), ("out2.txt", Created)],
    );
    check("make 2>&1 | tee log", true, &[]);
    check("cargo test > /dev/null 2> log", true, &[]);
    check("sed -i s/a/b/ a.rs && cargo test", true, &[("a.rs", Edited)]);
}

#[test]
fn a26_other_commands_run_programs() {
    for command in ["cargo test", "", "'unclosed", "x=1 make", "true", "((", "cat", "echo 'a;b'"] {
        check(command, true, &[]);
    }
}
