//! Tests of this module.

use crate::secrets::commands::words::Line;

fn values(line: &str, flags: &[&str]) -> Vec<String> {
    let line = Line::after(line, 0);
    line.flag_values(flags).map(|word| line.text(&word).to_owned()).collect()
}

#[test]
fn a_flag_takes_the_next_word_or_the_rest_of_its_own() {
    assert_eq!(values("-h db -p 'two words' x", &["-p "]), ["two words"]);
    assert_eq!(values("-uroot -p'rocket 7' app", &["-p"]), ["rocket 7"]);
    assert_eq!(values("--value=abc \\\n -s def", &["--value=", "-s "]), ["abc", "def"]);
    assert!(values("-p | less", &["-p "]).is_empty());
    assert!(values("-P x", &["-p "]).is_empty());
}

#[test]
fn words_end_with_the_command() {
    let words = |text: &str| {
        let line = Line::after(text, 0);
        line.words().map(|word| line.text(&word).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(words(r#"a "b c" d; e"#), ["a", "b c", "d"]);
    assert_eq!(words(r#"a b", "next""#)[..2], ["a", "b"]);
    assert_eq!(words(r"\\host\share a && b"), [r"\\host\share", "a"]);
    assert_eq!(words("a\nb"), ["a"]);
}
