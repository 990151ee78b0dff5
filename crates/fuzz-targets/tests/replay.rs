//! Passes every file of the stored corpus through the functions that the fuzzer runs.

use std::fs;
use std::path::{Path, PathBuf};

use fuzz_targets::TARGETS;

/// The maximum size of the corpus, which is part of the repository.
const MAX_CORPUS_BYTES: u64 = 1024 * 1024;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn inputs(target: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder().join("corpus").join(target));
    let entries = entries.unwrap_or_else(|error| panic!("the corpus of {target}: {error}"));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

#[test]
fn a40_every_input_of_the_corpus_goes_through_its_target() {
    let mut failed = Vec::new();
    for target in TARGETS {
        for file in inputs(target.name) {
            let bytes = fs::read(&file).unwrap();
            if std::panic::catch_unwind(|| (target.run)(&bytes)).is_err() {
                failed.push(file);
            }
        }
    }
    assert!(failed.is_empty(), "these inputs fail (see the panics above): {failed:#?}");
}

#[test]
fn a40_every_target_has_a_corpus_and_a_wrapper_and_nothing_else_does() {
    let names = |sub: &str| {
        let entries = fs::read_dir(folder().join(sub)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let targets: Vec<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(names("corpus"), targets);
    assert_eq!(names("fuzz_targets"), targets);
    for target in TARGETS {
        let n_inputs = inputs(target.name).len();
        assert!((5..=100).contains(&n_inputs), "{}: {n_inputs} inputs", target.name);
    }
}

#[test]
fn a40_the_corpus_stays_small() {
    let files = TARGETS.iter().flat_map(|target| inputs(target.name));
    let bytes: u64 = files.map(|file| fs::metadata(file).unwrap().len()).sum();
    assert!(bytes <= MAX_CORPUS_BYTES, "{bytes} bytes");
}
