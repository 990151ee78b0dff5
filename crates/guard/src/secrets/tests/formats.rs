//! Tests of secrets in the formats of particular programs (A52).

use super::positions::{check_removed, check_unchanged};
use crate::redact;

#[test]
fn a52_every_registry_credential_is_redacted() {
    let text = r#"{"auths":{"a.io":{"auth":"Vk8PqZ3wLm7R","email":"me@a.io"},"b.io":{"auth":"/Tk3P+X9vLm2Rzz/Q8wYdA=="}}}"#;
    let expected = r#"{"auths":{"a.io":{"auth":"<redacted>","email":"me@a.io"},"b.io":{"auth":"<redacted>"}}}"#;
    assert_eq!(redact(text).text, expected);
    check_removed(&[
        (r#""auth": "Qz7wXk2R+pVn4/LtYc9sBg==""#, "Qz7wXk2R"),
        (r#"{\"auths\":{\"a.io\":{\"auth\":\"Qz7wXk2RpVn4LtYc9sBg\"}}}"#, "Qz7wXk2R"),
        (r#"\\\"b.io\\\":{\\\"auth\\\":\\\"Qz7wXk2RpVn4LtYc9sBg\\\"}"#, "Qz7wXk2R"),
    ]);
    check_unchanged(&[
        r#"{"auth": "none"}"#,
        r#"{"auth": "oauth2-authorization-code"}"#,
        r#"{"auth":"requiredForAllRoutes"}"#,
        r#"{"auth": "modules/auth/AuthService2.ts"}"#,
        r#""auth": "^1.2.3""#,
        r#"{"auth": "${REGISTRY_AUTH}"}"#,
    ]);
}

#[test]
fn a52_a_generated_value_may_start_with_a_slash() {
    check_removed(&[
        ("FIREWALL_API_KEY=/4tWq8ZrY1nKx5cVb7LpQ2sJ9dGhU6e\n", "4tWq8ZrY1nKx5"),
        ("ACCESS_TOKEN=\"/Xk7sPv0JmB4q+Tz9wRc2NyL6fHg1dUe8a/Q==\"", "Xk7sPv0JmB4q"),
        ("secretKey: /Hd5uEj2KoC8r/Wy3xSb6MzN7gPi0fVt9q", "Hd5uEj2KoC8r"),
        ("the access_token /Hd5uEj2KoC8rWy3xSb6MzN7gPi0fVt9q\n", "Hd5uEj2KoC8r"),
        ("token: //Hd5uEj2KoC8rWy3xSb6MzN7gPi0fVt9q\n", "Hd5uEj2KoC8r"),
        ("DB_PASSWORD=/Hd5uEj2KoC8rWy3xSb6MzN7gPi0f\n", "Hd5uEj2KoC8r"),
    ]);
    check_unchanged(&[
        "API_TOKEN=/etc/app/secret.key",
        "DB_PASSWORD=/run/secrets/db_password",
        "token: /var/lib/Tokens2/Service7/current",
        "secret: /home/Alice9/Projects/App2Server/config",
        "api_key: /d/1BxVk8Zq3wLm7RtYc9sBgHd5uEj2KoC8rWy/edit",
        "secret = \"/nix/store/0c5b1kq3m7v2zr9xq8w4l6nq1y3p5d7f\"",
        "token: //cdn.acme.io/Hd5uEj2KoC8rWy3xSb6MzN7gPi0f.js",
        "token: //Hd5uEj2KoC8r is the one for the tests",
        "key: /Xk7sPv0JmB4qTz9wRc2NyL6fHg1dUe8a",
        "token: /api/v1/Users/GetTokenForUser2",
        "secret: /9f2c81d07be4a35c6d1089f7e2b3c4a5d6e7f809",
    ]);
}

#[test]
fn a52_a_name_with_dots_is_the_name_of_a_key() {
    check_removed(&[
        ("quotes.api.key: \"d81c07f2-94ab-4e6d-b35f-20c7e9a16b48\"", "d81c07f2"),
        ("quotes.api.key=d81c07f2-94ab-4e6d-b35f-20c7e9a16b48\n", "d81c07f2"),
        ("store.access.key = 'd81c07f2-94ab-4e6d-b35f-20c7e9a16b48'", "d81c07f2"),
    ]);
    check_unchanged(&[
        "{ key: \"d81c07f2-94ab-4e6d-b35f-20c7e9a16b48\", value: 1 }",
        "row.key: \"d81c07f2-94ab-4e6d-b35f-20c7e9a16b48\"",
        "api.key.id: \"d81c07f2-94ab-4e6d-b35f-20c7e9a16b48\"",
        "api.key.path = \"/etc/app/api.key\"",
        "let key = settings.api.key;",
        "if (api.key === undefined) return;",
    ]);
}

#[test]
fn a52_the_secret_of_a_vault_role_is_redacted() {
    let secret = "d81c07f2-94ab-4e6d-b35f-20c7e9a16b48";
    let role = "3a5f90c1-27de-4b86-9c14-e8d7b2065fa3";
    for (before, after) in [
        (format!("vault write auth/approle/login role_id={role} secret_id="), ""),
        (format!("vault write auth/approle/login \\\n  role_id={role} \\\n  secret_id="), "\n"),
        (format!("{{\"role_id\": \"{role}\", \"secret_id\": \""), "\"}"),
        ("VAULT_SECRET_ID=".to_owned(), ""),
        (format!("role_id: {role}\nsecret_id: "), "\n"),
        ("lookup('hashi_vault', auth='approle', secret_id='".to_owned(), "')"),
    ] {
        let text = format!("{before}{secret}{after}");
        assert_eq!(redact(&text).text, format!("{before}<redacted>{after}"));
    }
    check_unchanged(&[
        "secret_id = \"d81c07f2-94ab-4e6d-b35f-20c7e9a16b48\"",
        "azurerm_key_vault secret_id = d81c07f2-94ab-4e6d-b35f-20c7e9a16b48",
        "client_id=d81c07f2-94ab-4e6d-b35f-20c7e9a16b48",
        "vault role_id=d81c07f2-94ab-4e6d-b35f-20c7e9a16b48",
        "vault_request_id=d81c07f2-94ab-4e6d-b35f-20c7e9a16b48",
    ]);
}

#[test]
fn a52_an_address_may_contain_a_key() {
    for (address, secret) in [
        (
            "https://shop-eu.azurewebsites.net/api/orders/sync?code=",
            "J2vWq9tYcKx8_RmZb4LpE7sUoA1fHd5GnXi0Tw==",
        ),
        ("https://api.netlify.com/build_hooks/", "b7d20c94e1f35a68c02d9f41"),
        (
            "https://quiet-owl-7.tines.com/webhook/",
            "c07e92d4b81f36a5e0d94c72b6f1385a/4d9b02e7f61c83a5b0e4d7296fc1583a",
        ),
    ] {
        let text = format!("curl -X POST {address}{secret}\n");
        assert_eq!(redact(&text).text, format!("curl -X POST {address}<redacted>\n"));
    }
    check_unchanged(&[
        "https://shop-eu.azurewebsites.net/api/orders?page=2",
        "https://shop-eu.azurewebsites.net/api/orders?code=404",
        "https://shop-eu.azurewebsites.net/api/orders?code=E_CONNECTION_REFUSED",
        "https://shop-eu.azurewebsites.net/api/orders?code=<function-key>",
        "https://shop-eu.azurewebsites.net/api/orders?code=YOUR_FUNCTION_KEY_HERE",
        "https://api.netlify.com/build_hooks/YOUR_HOOK_ID",
        "https://api.netlify.com/api/v1/sites/b7d20c94e1f35a68c02d9f41",
        "https://quiet-owl-7.tines.com/webhook/PATH/SECRET",
    ]);
}

#[test]
fn a52_a_key_block_with_four_dashes_is_redacted() {
    let body = "Subject: build\nComment: \"3072-bit rsa\"\nP2/56wAAAi4AAAA3aWYtbW9kbntzaWdue3JzYS1wa2NzMS1zaGExfX0\nKx7cVb9LpQ2sJ4dGhU6e\n";
    for label in ["SSH2 ENCRYPTED PRIVATE KEY", "SSH2 PRIVATE KEY"] {
        let text = format!("a\n---- BEGIN {label} ----\n{body}---- END {label} ----\nb");
        let expected = format!("a\n---- BEGIN {label} ----<redacted>---- END {label} ----\nb");
        assert_eq!(redact(&text).text, expected);
        let cut = format!("---- BEGIN {label} ----\n{body}");
        assert_eq!(redact(&cut).text, format!("---- BEGIN {label} ----<redacted>"));
        let end = format!("P2/56wAAAi4AAAA3aWYtbW9kbnt\n---- END {label} ----");
        assert_eq!(redact(&end).text, format!("<redacted>---- END {label} ----"));
    }
    let public = format!("---- BEGIN SSH2 PUBLIC KEY ----\n{body}---- END SSH2 PUBLIC KEY ----\n");
    check_unchanged(&[&public, "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n<your key>\n"]);
}

#[test]
fn a52_one_half_of_a_login_may_be_missing() {
    check_removed(&[
        ("curl -u \":w9Tq!kmZdRb\" https://localhost:9200", "w9Tq!kmZdRb"),
        ("curl -u \"w9Tq!kmZdRb:\" https://localhost:9200", "w9Tq!kmZdRb"),
        ("curl -u Vb7Kq2Zm9Xw4Rt8Np3Lc: https://api.acme.io/v1", "Vb7Kq2Zm9Xw4Rt8Np3Lc"),
        ("curl --user :Vb7Kq2Zm9Xw4Rt8Np3Lc https://api.acme.io", "Vb7Kq2Zm9Xw4Rt8Np3Lc"),
    ]);
    check_unchanged(&[
        "curl -u : --negotiate https://localhost:9200",
        "curl -u admin: https://localhost:9200",
        "curl -u jane.doe2024: https://localhost:9200",
        "curl -u jdoe-adm1: https://localhost:9200",
        "curl -u jane_doe@acme.io: https://localhost:9200",
        "curl -u \"$API_TOKEN:\" https://localhost:9200",
        "curl -u \":$API_TOKEN\" https://localhost:9200",
        "curl -u \":<token>\" https://localhost:9200",
        "curl -u :password https://localhost:9200",
    ]);
}

#[test]
fn a52_the_private_part_of_a_web_key_in_code_is_redacted() {
    let text = "const key = {\n  kty: 'EC',\n  crv: 'P-256',\n  d: 'XikZvoy8ayRpOnuz7ont2DkgMxp_kmmg1EKcuIJWX_E',\n};\n";
    assert_eq!(
        redact(text).text,
        "const key = {\n  kty: 'EC',\n  crv: 'P-256',\n  d: '<redacted>',\n};\n"
    );
    check_unchanged(&[
        "{ kty: 'EC', crv: 'P-256', x: 'XikZvoy8ayRpOnuz7ont2DkgMxp_kmmg1EKcuIJWX_E' }",
        "{ kty: 'oct', kind: 'XikZvoy8ayRpOnuz7ont2DkgMxp_kmmg1EKcuIJWX_E' }",
    ]);
}

#[test]
fn a52_a_seed_of_nats_is_redacted() {
    let seed = "SUAEF72CT7NWBNZZC44HODTARCJBJVFJ5ZFCMJL57ECMV4T6DB56EC5GLJ";
    assert_eq!(redact(&format!("x := \"{seed}\"")).text, "x := \"<redacted>\"");
    check_unchanged(&[
        &format!("x := \"U{}\"", &seed[1..]),
        &format!("x := \"{seed}A\""),
        &format!("x := \"{}\"", &seed[..57]),
    ]);
}

#[test]
fn a52_public_values_near_a_name_are_unchanged() {
    check_unchanged(&[
        "('Vary', 'Authorization, Cookie, X-GitHub-OTP'), ('ETag', 'W/\"848b2905eeb475bca3c72fe17bedcc0c\"')",
        "{\n  \"repeat\": \"确认当前密码\",\n  \"LABEL_2FA_CODE\": \"code\"\n}",
        "encrypted_key: 'Z6eD4UK_yFb5ZoKvKkGAdqywEG_m0e4IYo0x8Vf30LAMJcsc'",
        "FS_IOC_ADD_ENCRYPTION_KEY = 0xc0506617",
        "{\"pass\":\"[REDACTED]\",\"name\":\"Xw7mZt2LkV9pRw4NsB8yHd3C\"}",
    ]);
    let text = "form = {'password': 'password1'}\nif data['password1'] != data['other']: fail()\n";
    assert!(redact(text).text.contains("if data['password1'] != data['other']: fail()"));
}
