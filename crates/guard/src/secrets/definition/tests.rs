//! Tests of this module.

use crate::redact;

const TOKEN: &str = concat!("gh", "p_k7Wm2pQ9xLr4Tn8vBz3Yc6Hd1Fj5Gs0aEuIo");

fn is_unchanged(text: &str) -> bool {
    let text = text.replace("TOKEN", TOKEN);
    redact(&text).redactions.is_empty()
}

#[test]
fn samples_of_a_rule_are_not_redacted() {
    for rule in [
        "r := Rule{\n RuleID: \"x\",\n Description: \"y\",\n Regex: re(`a{36}`),\n Entropy: 3,\n}\ntps := []string{\"TOKEN\"}",
        "- name: Some Token\n  id: some.1\n  pattern: '(a[0-9]{36})'\n  examples:\n  - 'export A=TOKEN'\n",
        "[[rules]]\nid = \"x\"\ndescription = \"y\"\nregex = '''a{36}'''\nkeywords = [\"a\"]\n# TOKEN\n",
        "{\"id\": 1, \"title\": \"x\", \"pattern\": \"a{36}\", \"min_entropy\": 3, \"sample\": \"TOKEN\"}",
    ] {
        assert!(is_unchanged(rule), "{rule}");
    }
}

#[test]
fn text_that_only_resembles_a_rule_is_redacted() {
    let far = format!(
        "RuleID: 1\nDescription: 2\nRegex: 3\nEntropy: 4\n{}\n\"TOKEN\"",
        "x = 1\n".repeat(400)
    );
    for text in [
        "TOKEN",
        "name: deploy\ndescription: the site\nkeywords: [a]\nenv: TOKEN\n",
        "id: 1\nname: x\npattern: '*.js'\ntoken: TOKEN\n",
        "id = 1\nname = 2\nregex = 3\nentropy = 4\n[allowlist]\nregexes = ['''TOKEN''']\n",
        "RuleID: 1,\nDescription: 2,\nRegex: 3,\nEntropy: 4,\nAllowlists: list(`TOKEN`),\n",
        far.as_str(),
    ] {
        assert!(!is_unchanged(text), "{text}");
    }
}

#[test]
fn a_private_key_is_never_a_sample() {
    let key = format!(
        "-----BEGIN {} KEY-----\n{}\n",
        "PRIVATE",
        "MIIEowIBAAKCAQEA7bq0Zk3vXw8e".repeat(2)
    );
    assert!(!is_unchanged(&format!("id: 1\nname: x\npattern: y\nexamples:\n{key}")));
}
