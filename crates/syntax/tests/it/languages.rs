//! Compares the complete outline of one sample per language with a snapshot.

use std::fs;
use std::path::Path;

use syntax::Language;

use crate::render::render;

#[test]
fn each_language_has_a_sample_with_this_outline() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures");
    let mut sampled = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let language = Language::of_path(path.to_str().unwrap()).unwrap();
        insta::assert_snapshot!(language.name(), render(language, &fs::read(&path).unwrap()));
        sampled.push(language);
    }
    for language in Language::ALL {
        assert!(sampled.contains(&language), "no sample of {}", language.name());
    }
}
