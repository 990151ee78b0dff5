//! Files that are never quoted, whatever they are called and however they are reached (A50, A51).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use testkit::Repository;

use crate::stage::{ADJUTANT, Stage, on};

const PROMPT: &str = "explain okapi_vault: where is it defined and who calls it?";
/// Words that stand only in files that must stay hidden.
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

fn holds(folder: &Path, word: &str) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, word);
        }
        let bytes = fs::read(path).unwrap_or_default();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    })
}

/// Asks for everything there is about the word, the hidden words themselves included.
fn everything_said(stage: &Stage) -> String {
    let mut said = String::new();
    for word in HIDDEN.iter().chain(&["okapi_vault"]) {
        let search = stage.launch(ADJUTANT).arguments(["search", word, "--json"]).run();
        said += &search.stdout;
    }
    said + &stage.ask(PROMPT).expect_success().stdout
}

#[test]
fn a51_keys_under_innocent_names_and_links_to_them_are_neither_indexed_nor_quoted() {
    let cache = tempfile::tempdir().unwrap();
    let stage = on(repository()).env("ADJUTANT_CACHE_DIR", cache.path());
    stage.launch(ADJUTANT).arguments(["index"]).run().expect_success();
    let said = everything_said(&stage);
    assert!(said.contains("src/okapi_vault.rs") && said.contains("src/api.rs"), "{said}");
    assert!(holds(cache.path(), "okapi_vault"), "the index is not in the cache");
    for word in HIDDEN {
        assert!(!holds(cache.path(), word), "`{word}` is in the index");
    }
    for hidden in [
        "okapi_vault_notes",
        "okapi_vault_values",
        "okapi_vault_env",
        "okapi_vault_link",
        "b3BlbnNz",
        "okapi_vault_out",
    ] {
        assert!(!said.contains(hidden), "`{hidden}` was said: {said}");
    }
}

#[test]
fn a51_a_search_without_an_index_does_not_quote_them_either() {
    let mut builder = Repository::builder().file("src/okapi_vault.rs", "pub fn okapi_vault() {}\n");
    for number in 0..400 {
        builder = builder.file(format!("src/many/file{number}.rs"), "pub fn nothing() {}\n");
    }
    let repository = builder.file("docs/okapi_vault_notes.txt", key()).commit("Many").build();
    let cache = tempfile::tempdir().unwrap();
    fs::write(cache.path().join("file"), "").unwrap();
    // A cache that cannot be written: there is never an index, every answer is a live search.
    let stage = on(repository).env("ADJUTANT_CACHE_DIR", cache.path().join("file"));
    let said = stage.ask(PROMPT).expect_success().stdout;
    assert!(said.contains("live search") && said.contains("src/okapi_vault.rs"), "{said}");
    assert!(!said.contains("okapikeyword") && !said.contains("okapi_vault_notes"), "{said}");
}
