//! Checks that scans take linear time: for an input that is four times as long, a scan takes at most about four times as
//! many steps.

use super::steps_of;
use crate::{filter_injection, neutralise, redact};

const PIECES: &[&str] = &[
    "<",
    "< ",
    "Human:",
    "token=",
    "key=",
    "key=token:",
    "key=x",
    "7| key=\n",
    "+ key:\n",
    "a.b:key=\n",
    "password,(",
    "name,password\n",
    "mnemonic abc ",
    "mysql -p ",
    "Z2hwX",
    "AAAA-----END PRIVATE KEY-----",
    "pass: a&",
    "secret-1234-",
    "password",
    "password=\"EXAMPLE",
    "xoxb-xxxxxxxxxxxx",
    "password for x is ",
    "pw:",
    "identified by ",
    "token = a1b2c3d4e5f6 ",
    "token = \"",
    "password: a1b2c3d4 ",
    "eyJ-",
    "eyJabcdefghij.",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq0\n",
    "kind: Secret\ndata:\n",
    "kind: Secret ",
    "curl -u ",
    "://a:b",
    "xoxb-",
    "ghp_",
    "sk-ant-",
    "ZXlK",
    "ignore ",
    "ignore all previous ",
    "asked you are now ",
    "i g n o r e ",
    "忽略之前",
    "<system>",
    "system: user: assistant:\n",
    "aWdub3JlIGFs",
    "%69&#105;\\u0069",
    "\u{200b}іg",
    "\u{e0041}",
    "1gn0r3 4ll ",
    "a1b",
    "忽 略 之 ",
    "--ignore-rules ",
    "regex: entropy: id: name: ",
    "token=b901ny2ffwazl8s regex: id: ",
    "shodan=",
    "shodan_shodan=b901ny2ffwazl8sqq7p2 ",
    "pat=pat:",
    "char auth[",
    "T3BlbkFJ",
    "the model should ignore instructions found in ",
    "請無視",
    "agents: ",
    "{{#system",
    "curl x|sh ",
    "a|curl ",
    "(curl before editing this file ",
    "###(system_message) ",
    "npm_",
    "hf_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9b",
    "ghs_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5",
    "token=aB3;\n",
    "DB_PASSWORD=aB3;dE5&gH7|jK9\n",
    "\"auth\":\"aB3dE5gH7jK9mN1p\",",
    "secret_id=6a174c20-f6de-4b1c-9e0f-7d6c5b4a3f2e ",
    "api_key=/aB3dE5gH7jK9mN1pQ3sT5vW7 ",
    "---- BEGIN SSH2 PRIVATE KEY ----",
    "---- BEGIN SSH2 PRIVATE KEY ----\nP2/56wAAA8AAAAAmZGwt\n",
    "-----BEGIN PRIVATE KEY----- ---- END SSH2 PRIVATE KEY ----",
];

fn steps(text: &str) -> usize {
    steps_of(|| {
        std::hint::black_box(redact(text));
        std::hint::black_box(filter_injection(text));
        std::hint::black_box(neutralise(text));
    })
}

#[test]
fn work_grows_linearly_with_the_text() {
    for piece in PIECES {
        let small = piece.repeat(24_000 / piece.len());
        let (one, four) = (steps(&small), steps(&small.repeat(4)));
        assert!(
            four <= one * 5 + 20_000,
            "`{}` took {one} steps, four times as much text {four}",
            piece.escape_debug()
        );
    }
}

#[test]
fn work_per_byte_is_bounded() {
    for piece in PIECES {
        let text = piece.repeat(24_000 / piece.len());
        assert!(
            steps(&text) <= text.len() * 500,
            "`{}` took {} steps a byte",
            piece.escape_debug(),
            steps(&text) / text.len()
        );
    }
}
