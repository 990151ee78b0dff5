use std::fs;
use std::time::SystemTime;

use index::{BuildOptions, Parser, View, build_in_memory};

use super::{KnownTerms, known_terms};
use crate::ask::ReadPrompt;

fn repository() -> (tempfile::TempDir, View) {
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir(tree.path().join("src")).unwrap();
    fs::write(tree.path().join("src/secrets.rs"), "pub fn redact(text: &str) {}\n").unwrap();
    fs::create_dir_all(tree.path().join(".specstory/history")).unwrap();
    fs::write(tree.path().join(".specstory/history/who-won-the-world-cup.md"), "").unwrap();
    fs::write(tree.path().join("src/login.rs"), "pub fn sign_in() {}\n// 校验验证码\n").unwrap();
    let view =
        build_in_memory(tree.path(), &BuildOptions::new(SystemTime::UNIX_EPOCH, Parser::linked()))
            .unwrap();
    (tree, view)
}

#[track_caller]
fn check(prompt: &str, known: &[&str], asked: usize) {
    let (_tree, view) = repository();
    let known = known.iter().map(|word| (*word).to_owned()).collect();
    assert_eq!(
        known_terms(&view, &ReadPrompt::new(prompt.to_owned())),
        KnownTerms { known, asked },
        "{prompt}"
    );
}

#[test]
fn names_and_paths_of_the_repository_are_known() {
    check("where are secrets redacted?", &["secrets", "redacted"], 2);
    check("who won the world cup in 2018?", &[], 2);
}

#[test]
fn chinese_words_are_known_by_translation_or_as_written() {
    check("登录失败", &["login"], 2);
    check("今天天气怎么样", &[], 1);
    check("春眠不觉晓", &[], 4);
}

#[test]
fn stop_words_are_not_looked_up() {
    check("", &[], 0);
    check("is it so?", &[], 0);
}
