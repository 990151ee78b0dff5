//! Tests of secrets that are next to another secret, or that contain signs which usually separate values (A52).

use super::positions::{check_removed, check_unchanged};
use crate::redact;

#[test]
fn a52_each_of_several_signed_tokens_on_consecutive_lines_is_redacted() {
    let tokens = [
        concat!(
            "ey",
            "JhbGciOiJFUzI1NiJ9.eyJyb2xlIjoid3JpdGVyIn0.Mf3tWq8ZrY1nKx5cVb7LpQ2sJ9dGhU4e"
        ),
        concat!(
            "ey",
            "JhbGciOiJFUzI1NiJ9.eyJyb2xlIjoicmVhZGVyIn0.Xk7sPv0JmB4qTz9wRc2NyL6fHg1dUe8a"
        ),
        concat!("ey", "JhbGciOiJFUzI1NiJ9.eyJyb2xlIjoib3duZXIifQ.Hd5uEj2KoC8rWy3xSb6MzN7gPi0fVt9q"),
    ];
    for separator in ["\n", "\r\n", "\n  ", "\",\n\"", "\n- "] {
        let text = tokens.join(separator);
        assert_eq!(redact(&text).text, ["eyJ<redacted>"; 3].join(separator));
    }
    // A wrapped token still belongs together.
    let wrapped = format!("{}\n{}", &tokens[0][..54], &tokens[0][54..]);
    assert!(!redact(&wrapped).text.contains("2sJ9dGhU4e"));
}

#[test]
fn a52_a_variable_may_contain_signs_that_separate_other_values() {
    check_removed(&[
        ("relay_token=Zr4kVw9LpT2x&Qm7NdYc3Hs\n", "Qm7NdYc3Hs"),
        ("ftp_password=u7>Rk!w-[Bq2z|xM%\n", "Bq2z"),
        ("NAS_PASSWORD=w9Tq;k$mZdRb", "mZdRb"),
        ("# NAS_PASSWORD=w9Tq;k$mZdRb  # backup host\n", "mZdRb"),
        ("export MAIL_SECRET=Vd8|nQ3z[xK>b5\nnext", "xK>b5"),
        ("  queue_secret=!kW3&vR8;pZ1_tY6\n", "tY6"),
        ("mail_password=f2<Rb]vt,f(yO3<>@7iK\n", "@7iK"),
        ("mail_password=:M5rSs[_YX&?7iTQ2m,34[a$-EuGW\n", "EuGW"),
        ("a=1\nAPI_TOKEN=Gf6,Tb2)Xn9<Lq4\nb=2\n", "Lq4"),
    ]);
}

#[test]
fn a52_a_separator_after_a_value_is_kept() {
    for (text, expected) in [
        ("token=Zr4kVw9LpT2xQm7&user=bob", "token=<redacted>&user=bob"),
        ("token=Zr4kVw9LpT2xQm7&debug", "token=<redacted>&debug"),
        ("password=Hx7!kdVp;Server=db1;User=sa", "password=<redacted>;Server=db1;User=sa"),
        ("TOKEN=Zr4kVw9LpT2xQm7 > out.txt", "TOKEN=<redacted> > out.txt"),
        ("TOKEN=Zr4kVw9LpT2xQm7 | base64", "TOKEN=<redacted> | base64"),
        ("export TOKEN=Zr4kVw9LpT2xQm7; run", "export TOKEN=<redacted>; run"),
    ] {
        assert_eq!(redact(text).text, expected);
    }
    check_unchanged(&[
        "token=tokens[i1]&0xFF\n",
        "secret=Cache1<Key>\n",
        "password=Form1.read(A,b);\n",
        "TOKEN=$(get Token1;true)\n",
        "token=A1&&b2\n",
        "token=Abc1|Def2\n",
        "secret=Box<[u8;32]>\n",
        "session_token=Ab12cd;HttpOnly\n",
        "token=^[A-Z]{4}[0-9a-f]+$\n",
        "TOKEN_KINDS=Bearer1,Basic2,Digest3\n",
        "PASSWORD=Read-Host;Write1\n",
        "token=e.Keys[0]||load(A1,{b:2})\n",
        "secret=Map<String,List<Key2>>()\n",
        "password=(Form1)$this->read(2)\n",
        "PASSWORD=<Your1;password>\n",
        "API_TOKEN=${A1:-b};c\n",
    ]);
}

#[test]
fn a52_a_token_is_redacted_together_with_the_word_after_it() {
    let github = concat!("gh", "s_Vb7Kq2Zm9Xw4Rt8Np3Lc6Hd1Fj5Gs0aEuIoY");
    let npm = concat!("np", "m_Vb7Kq2Zm9Xw4Rt8Np3Lc6Hd1Fj5Gs0aEuIoY");
    let model = concat!("h", "f_VbKqZmXwRtNpLcHdFjGsaEuIoYTyPrQwMn");
    for (text, expected) in [
        (github.repeat(3), "ghs_<redacted>"),
        (npm.repeat(4), "npm_<redacted>"),
        (format!("{npm}later on"), "npm_<redacted> on"),
        (format!("{model}word, next"), "hf_<redacted>, next"),
        (format!("{github}_old = 1"), "ghs_<redacted> = 1"),
    ] {
        assert_eq!(redact(&text).text, expected);
    }
    let signed = "JhbGciOiJFUzI1NiJ9.eyJyb2xlIjoid3JpdGVyIn0.Mf3tWq8ZrY1nKx5cVb7LpQ2sJ9dGhU4e";
    assert_eq!(redact(&format!("pat_ey{signed}")).text, "pat_eyJ<redacted>");
    check_unchanged(&[
        "hf_load_pretrained_transformer_model_from_cache",
        "hf_HubDownloadOfTransformerModelWeightsFromTheCache",
        "npm_config_registry_default_location_of_packages",
        "npm_4f3c2b1a9d8e7f605142332415a6b7c8d9e0f1a2",
        "lib/version.py,sha256=qZN-fw_htKgVUXoRuBEWgKxQt3uZ9qF2fiLkXJS7MB,160",
        "API-4F3C2B1A9D8E7F605142332415A6B7C8",
        "npm_package_dependencies_typescript_eslint_parser=8.1.0",
    ]);
}

#[test]
fn a52_a_key_without_a_name_below_its_identifier_is_redacted() {
    let id = concat!("AK", "IAV7Q2KD9XW4TB6ZMH");
    let google = concat!("GO", "OG1EV7Q2KD9XW4TB6ZMHR8YJC3NPLF5SGA1UOI0E7RVX2QK9DWT4BZ6MHY8");
    let key = "pR7v/Xq2LmT9+wKcZ4bYhE8sNdJ3uFgA6iQo1tVx";
    for separator in ["\n", "\r\n", ":", ",", ", ", "\n\t", "\",\n\""] {
        let text = format!("x {id}{separator}{key}\nend");
        assert_eq!(redact(&text).text, format!("x AKIA<redacted>{separator}<redacted>\nend"));
    }
    for separator in ["\n", ":", ",", ", ", "\", \""] {
        let text = format!("x {google}{separator}{key}\nend");
        assert_eq!(redact(&text).text, format!("x {google}{separator}<redacted>\nend"));
    }
    assert!(!redact(&format!("{id}:/{}", &key[1..])).text.contains("NdJ3uFgA6"));
    for below in [
        "9f2c81d07be4a35c6d1089f7e2b3c4a5d6e7f809",
        "9F2C81D07BE4A35C6D1089F7E2B3C4A5D6E7F809",
        "pR7v/Xq2LmT9+wKcZ4bYhE8sNdJ3uFgA6iQo1tVx is the digest",
        "crates/guard/src/Secrets/KeyPairs2/mod.rs",
        "TheNameOfAFunctionThatTakesTwoArguments2",
    ] {
        let text = format!("{id}\n{below}");
        assert_eq!(redact(&text).text, format!("AKIA<redacted>\n{below}"));
    }
    check_unchanged(&[google]);
}
