use index::text::stem;

use super::{LENGTHS, TABLE, meanings};

#[test]
fn the_table_is_sorted_and_every_line_is_well_formed() {
    let words: Vec<&str> = TABLE.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(words.len() > 1_000, "{} words", words.len());
    assert!(words.is_sorted_by(|a, b| a < b));
    for line in TABLE.lines() {
        let (word, rest) = line.split_once(' ').expect("a word and what it is called");
        assert!(LENGTHS.contains(&word.chars().count()), "{word}");
        assert!(word.chars().all(index::text::is_cjk), "{word}");
        let found: Vec<(&str, f32)> = meanings(word).expect("is found").collect();
        assert_eq!(found.len(), rest.split(' ').count(), "{line}");
        for (english, sureness) in found {
            assert!(english.bytes().all(|byte| byte.is_ascii_lowercase()), "{line}");
            assert!(sureness > 0.0 && sureness <= 1.0, "{line}");
        }
    }
}

#[test]
fn words_of_code_are_as_the_index_has_them() {
    for line in TABLE.lines() {
        for meaning in line.split(' ').skip(1) {
            let english = meaning.split('=').next().unwrap_or_default();
            let mut index_has = english.to_owned();
            // A stem may be stemmed once more, but no word stands here that the tokenizer cuts.
            assert!(english.starts_with(stem(&mut index_has)), "{line}");
        }
    }
}

#[test]
fn what_is_not_in_the_table_has_no_meaning() {
    for word in ["", "a", "登", "龘靐", "证书证书证书证书", "\u{10ffff}", "证书 certificat=23"]
    {
        assert!(meanings(word).is_none(), "{word}");
    }
}

#[test]
fn the_shipped_table_stays_small() {
    assert!(TABLE.len() < 1_000_000, "{} bytes", TABLE.len());
}
