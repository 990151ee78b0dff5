use super::{Ideographs, LONGEST, TABLE, for_each_ideograph, translations};

fn check(text: &str, expected: &str) {
    let mut found = Vec::new();
    for_each_ideograph(text, |item| {
        found.extend(match item {
            Ideographs::Pair(pair) => Some(pair.to_owned()),
            Ideographs::Border(pair) => Some(format!("({pair})")),
            Ideographs::English { word, .. } => Some(word.to_owned()),
            Ideographs::Learned { .. } => None,
        });
    });
    assert_eq!(found.join(" "), expected);
}

#[test]
fn the_table_is_sorted_and_every_word_is_found() {
    let words: Vec<&str> = TABLE.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(words.is_sorted_by(|a, b| a < b));
    for line in TABLE.lines() {
        let (word, english) = line.split_once(' ').unwrap_or((line, ""));
        assert_eq!(translations(word), Some(english), "{word}");
        assert!(word.chars().count() <= LONGEST, "{word}");
    }
    assert_eq!(translations("龘"), None);
    assert_eq!(translations(""), None);
    assert_eq!(translations("鿿鿿"), None);
}

#[test]
fn words_are_cut_longest_first_and_borders_are_marked() {
    check("登录接口 500 了", "login signin auth interface api 登录 (录接) 接口 了");
    check("验证码", "captcha code verify mfa otp 验证 证码");
}

#[test]
fn unknown_words_stay_as_pairs() {
    check("龘靐齉 x 龘", "龘靐 靐齉 龘");
}

/// What the learned table adds.
fn learned(text: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    for_each_ideograph(text, |item| {
        if let Ideographs::Learned { word, .. } = item {
            found.push(word);
        }
    });
    found
}

#[test]
fn public_projects_say_what_a_word_is_called() {
    assert!(learned("证书过期").contains(&"cert"));
    assert!(learned("弹窗").contains(&"modal"));
    assert!(learned("修复").is_empty(), "says nothing about code");
    assert!(learned("龘靐齉 login 500").is_empty());
}

#[test]
fn words_that_say_nothing_are_left_out() {
    check("修复登录", "login signin auth (复登) 登录");
}
