//! One sample per language, read in full.

use syntax::Language;

use crate::render::render;

macro_rules! samples {
    ($($name:ident $file:literal)*) => {
        $(#[test]
        fn $name() {
            let source = include_bytes!(concat!("fixtures/", $file));
            let language = Language::of_path($file).unwrap();
            insta::assert_snapshot!(stringify!($name), render(language, source));
        })*

        #[test]
        fn every_language_has_a_sample() {
            let sampled: Vec<_> = [$($file),*].into_iter().filter_map(Language::of_path).collect();
            for language in Language::ALL {
                assert!(sampled.contains(&language), "no sample of {}", language.name());
            }
        }
    };
}

samples! {
    rust "sample.rs"
    python "sample.py"
    typescript "sample.ts"
    tsx "sample.tsx"
    javascript "sample.js"
    go "sample.go"
    java "sample.java"
    c "sample.c"
    cpp "sample.cpp"
    csharp "sample.cs"
    ruby "sample.rb"
    php "sample.php"
    bash "sample.sh"
    kotlin "sample.kt"
    swift "sample.swift"
    scala "sample.scala"
    vue "sample.vue"
    svelte "sample.svelte"
}
