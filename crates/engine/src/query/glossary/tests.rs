use index::text::{is_cjk, stem};

use super::{
    CjkItem, LEARNED_LENGTHS, LEARNED_NAMES, TRANSLATED_LENGTHS, TRANSLATIONS, for_each_cjk_item,
    learned_names, translations,
};

fn check(text: &str, expected: &str) {
    let mut found = Vec::new();
    for_each_cjk_item(text, |item| {
        found.extend(match item {
            CjkItem::Pair(pair) => Some(pair.to_owned()),
            CjkItem::Border(pair) => Some(format!("({pair})")),
            CjkItem::Translation { word, .. } => Some(word.to_owned()),
            CjkItem::Learned { .. } => None,
        });
    });
    assert_eq!(found.join(" "), expected);
}

#[test]
fn translations_are_sorted_and_every_word_is_found() {
    let words: Vec<&str> = TRANSLATIONS.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(words.is_sorted_by(|a, b| a < b));
    for line in TRANSLATIONS.lines() {
        let (word, english) = line.split_once(' ').unwrap_or((line, ""));
        assert_eq!(translations(word), Some(english), "{word}");
        assert!(TRANSLATED_LENGTHS.contains(&word.chars().count()), "{word}");
    }
    assert_eq!(translations("龘"), None);
    assert_eq!(translations(""), None);
    assert_eq!(translations("鿿鿿"), None);
}

#[test]
fn the_longest_word_wins_and_borders_are_marked() {
    check("登录接口 500 了", "login signin auth interface api 登录 (录接) 接口 了");
    check("验证码", "captcha code verify mfa otp 验证 证码");
}

#[test]
fn unknown_words_remain_pairs() {
    check("龘靐齉 x 龘", "龘靐 靐齉 龘");
}

fn learned(text: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    for_each_cjk_item(text, |item| {
        if let CjkItem::Learned { word, .. } = item {
            found.push(word);
        }
    });
    found
}

#[test]
fn learned_names_are_added() {
    assert!(learned("证书过期").contains(&"cert"));
    assert!(learned("弹窗").contains(&"modal"));
    assert!(learned("修复").is_empty(), "says nothing about code");
    assert!(learned("龘靐齉 login 500").is_empty());
}

#[test]
fn stop_words_are_skipped() {
    check("修复登录", "login signin auth (复登) 登录");
}

#[test]
fn learned_names_are_sorted_and_well_formed() {
    let words: Vec<&str> =
        LEARNED_NAMES.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(words.len() > 1_000, "{} words", words.len());
    assert!(words.is_sorted_by(|a, b| a < b));
    for line in LEARNED_NAMES.lines() {
        let (word, rest) = line.split_once(' ').expect("a word and its names");
        assert!(LEARNED_LENGTHS.contains(&word.chars().count()), "{word}");
        assert!(word.chars().all(is_cjk), "{word}");
        let found: Vec<(&str, f32)> = learned_names(word).expect("an entry").collect();
        assert_eq!(found.len(), rest.split(' ').count(), "{line}");
        for (english, probability) in found {
            assert!(english.bytes().all(|byte| byte.is_ascii_lowercase()), "{line}");
            assert!(probability > 0.0 && probability <= 1.0, "{line}");
        }
    }
}

#[test]
fn learned_names_are_index_terms() {
    for line in LEARNED_NAMES.lines() {
        for entry in line.split(' ').skip(1) {
            let english = entry.split('=').next().unwrap_or_default();
            let mut index_has = english.to_owned();
            // Stemming a stem again may shorten the stem, but must not change its beginning.
            assert!(english.starts_with(stem(&mut index_has)), "{line}");
        }
    }
}

#[test]
fn unknown_words_have_no_learned_names() {
    for word in ["", "a", "登", "龘靐", "证书证书证书证书", "\u{10ffff}", "证书 certificat=23"]
    {
        assert!(learned_names(word).is_none(), "{word}");
    }
}

#[test]
fn the_learned_table_is_small() {
    assert!(LEARNED_NAMES.len() < 1_000_000, "{} bytes", LEARNED_NAMES.len());
}
