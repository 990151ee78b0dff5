//! Checks that the table of languages is complete and unambiguous.

use std::collections::HashMap;

use super::{Language, profile};

/// The numbers must not change, because indexes on disk contain them.
#[test]
fn stored_numbers_do_not_change() {
    let stored = [
        "rust",
        "python",
        "typescript",
        "tsx",
        "javascript",
        "go",
        "java",
        "c",
        "cpp",
        "csharp",
        "ruby",
        "php",
        "bash",
        "kotlin",
        "swift",
        "scala",
        "vue",
        "svelte",
        "dart",
        "elixir",
        "razor",
        "sql",
        "css",
        "html",
    ];
    for (number, name) in (1..).zip(stored) {
        assert_eq!(Language::of_name(name).map(Language::number), Some(number), "{name}");
    }
    for (number, language) in (1..).zip(Language::ALL) {
        assert_eq!(language.number(), number);
        assert_eq!(Language::of_number(number), Some(language));
    }
    assert_eq!(Language::of_number(0), None);
    assert_eq!(Language::of_number(Language::ALL.len() as u8 + 1), None);
}

#[test]
fn names_extensions_file_names_and_interpreters_are_listed_once() {
    let mut owners = HashMap::new();
    for language in Language::ALL {
        let profile = profile(language);
        let keys = [("name", profile.name)]
            .into_iter()
            .chain(profile.all_extensions().map(|it| ("extension", it)))
            .chain(profile.file_names.iter().map(|it| ("file name", *it)))
            .chain(profile.interpreters.iter().map(|it| ("interpreter", *it)));
        for key in keys {
            let other = owners.insert(key, profile.name);
            assert_eq!(other, None, "{} and {other:?} have the same {key:?}", profile.name);
        }
        let is_lower_case = |extension: &str| extension == extension.to_ascii_lowercase();
        assert!(!profile.extensions.is_empty() && profile.all_extensions().all(is_lower_case));
    }
}

#[test]
fn each_extension_is_detected() {
    for language in Language::ALL {
        for extension in profile(language).all_extensions() {
            assert_eq!(Language::of_path(&format!("a/b.{extension}")), Some(language));
        }
    }
    assert!(Language::has_common_extension("rs") && !Language::has_common_extension("command"));
}

#[test]
fn the_questions_and_answers_list_every_language() {
    let page = include_str!("../../../../docs/faq.md");
    let (_, rest) = page.split_once("references are read in ").unwrap();
    let (list, _) = rest.split_once(". ").unwrap();
    let id = |name: &str| name.trim().to_lowercase().replace("++", "pp").replace('#', "sharp");
    let mut listed: Vec<String> = list.split(',').map(id).collect();
    listed.sort_unstable();
    let mut names = Language::ALL.map(|language| profile(language).name);
    names.sort_unstable();
    assert_eq!(listed, names);
}
