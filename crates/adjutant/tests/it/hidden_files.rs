//! Files that are never quoted, under any name and through any link (A50, A51).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use testkit::Repository;

use crate::fixture::{ADJUTANT, Fixture, on};

const PROMPT: &str = "explain okapi_vault: where is it defined and who calls it?";
/// Words that appear only in hidden files.
const HIDDEN: [&str; 4] = ["okapikeyword", "okapilistword", "okapienvword", "okapioutsideword"];

fn key() -> String {
    let body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n".repeat(6);
    let label = "OPENSSH PRIVATE";
    format!(
        "-----BEGIN {label} KEY-----\n{body}-----END {label} KEY-----\nokapi_vault okapikeyword\n"
    )
}

fn repository() -> Repository {
    let list = "OKAPI_TOKEN=b901ny2ffwazl8s # okapi_vault okapilistword\nB_SECRET=z405caw382bo7jwb\nC_API_KEY=17kjbuwr0006fqsj\n";
    let repository = Repository::builder()
        .file("src/okapi_vault.rs", "pub fn okapi_vault(amount: u64) -> u64 {\n    amount\n}\n")
        .file("src/api.rs", "pub fn pay() -> u64 {\n    okapi_vault(3)\n}\n")
        .file("docs/okapi_vault_notes.txt", key())
        .file("docs/okapi_vault_values.txt", list)
        .file(".env", "OKAPI=okapi_vault okapienvword\n")
        .commit("Vault")
        .build();
    let outside = repository.path().parent().unwrap().join("okapi_outside.rs");
    fs::write(&outside, "pub fn okapi_vault() {} // okapioutsideword\n").unwrap();
    symlink(&outside, repository.join("src/okapi_vault_out.rs")).unwrap();
    symlink("../.env", repository.join("docs/okapi_vault_env.md")).unwrap();
    symlink("okapi_vault_notes.txt", repository.join("docs/okapi_vault_link.md")).unwrap();
    repository
}

fn contains_word(folder: &Path, word: &str) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return contains_word(&path, word);
        }
        let bytes = fs::read(path).unwrap_or_default();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    })
}

/// Runs every kind of query for the word and for the hidden words. Returns all output.
fn all_output(fixture: &Fixture) -> String {
    let mut said = String::new();
    for word in HIDDEN.iter().chain(&["okapi_vault"]) {
        let search = fixture.launch(ADJUTANT).arguments(["search", word, "--json"]).run();
        said += &search.stdout;
    }
    said + &fixture.ask(PROMPT).expect_success().stdout
}

#[test]
fn a51_keys_under_other_names_and_links_to_them_are_neither_indexed_nor_quoted() {
    let cache = tempfile::tempdir().unwrap();
    let fixture = on(repository()).env("ADJUTANT_CACHE_DIR", cache.path());
    fixture.launch(ADJUTANT).arguments(["index"]).run().expect_success();
    let said = all_output(&fixture);
    assert!(said.contains("src/okapi_vault.rs") && said.contains("src/api.rs"), "{said}");
    assert!(contains_word(cache.path(), "okapi_vault"), "the index is not in the cache");
    for word in HIDDEN {
        assert!(!contains_word(cache.path(), word), "`{word}` is in the index");
    }
    for hidden in [
        "okapi_vault_notes",
        "okapi_vault_values",
        "okapi_vault_env",
        "okapi_vault_link",
        "b3BlbnNz",
        "okapi_vault_out",
    ] {
        assert!(!said.contains(hidden), "the output contains `{hidden}`: {said}");
    }
}
