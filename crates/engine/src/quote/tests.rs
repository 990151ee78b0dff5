use super::*;

fn chosen(path: &str, text: &str, words: &[&str], max_lines: usize) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let words: Vec<(String, f32)> = words.iter().map(|word| ((*word).to_owned(), 1.0)).collect();
    choose(&lines, &line_kinds(path, &lines), &words, max_lines)
}

#[test]
fn a_short_function_is_quoted_whole_without_empty_lines() {
    let text = "def f(a):\n    \"\"\"Doc.\"\"\"\n\n    return a\n";
    assert_eq!(chosen("a.py", text, &[], 20), [0, 1, 3]);
}

#[test]
fn a_long_docstring_is_left_out_if_space_is_short() {
    let text = "def f(a):\n    \"\"\"Doc.\n\n    More.\n    \"\"\"\n    b = a\n    return b\n";
    assert_eq!(chosen("a.py", text, &[], 3), [0, 5, 6]);
}

#[test]
fn leading_comments_are_left_out_if_space_is_short() {
    let text = "/**\n * Doc.\n */\nfunction f(a) {\n  return a\n}\n";
    assert_eq!(chosen("a.ts", text, &[], 3), [3, 4, 5]);
    assert_eq!(chosen("a.ts", text, &[], 6), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_window_of_a_long_function_follows_its_signature() {
    let mut lines = vec!["fn long(".to_owned(), "    a: u8,".to_owned(), ") {".to_owned()];
    lines.extend((0..50).map(|n| format!("    step_{n}();")));
    let found = chosen("a.rs", &lines.join("\n"), &["step_40"], 6);
    assert_eq!(&found[..3], [0, 1, 2]);
    assert!(found.contains(&43) && found.len() == 6, "{found:?}");
}

#[test]
fn a_window_never_ends_inside_a_comment() {
    let text = "int f() {\n  a();\n  b();\n  // why\n  c();\n  d();\n}\n";
    assert_eq!(chosen("a.c", text, &["a()"], 4), [0, 1, 2]);
    assert!(chosen("a.c", "/*\n * only a comment\n", &[], 4).is_empty());
}
