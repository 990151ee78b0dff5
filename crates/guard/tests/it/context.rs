//! Generated keys after vague names, keys without PEM lines and compared literals (A52); and ordinary text, versions,
//! addresses and names of fields in the same positions.

use guard::redact;

/// Pairs of a text and the secret value that it contains.
const SECRETS: &[(&str, &str)] = &[
    // A generated key after a name that ends with `key`.
    ("billing_key: \"tQ7mZx2LkV9pRw4NsB8yHd3C\"", "tQ7mZx2LkV9pRw4NsB8yHd3C"),
    ("if reportKey != \"Wq8ZrT2mXk5VbN9sLp3H\" {", "Wq8ZrT2mXk5VbN9sLp3H"),
    ("<secret>{acme Vt4Kq9ZmXw2RbN7s}</secret>", "Vt4Kq9ZmXw2RbN7s"),
    // A key with punctuation in an environment file, and as a default.
    ("SECRET_KEY=k&zq7)w2m!x-v9#t4+e8=h3*n6@p1^c5%y0\n", "k&zq7)w2m!x-v9#t4+e8=h3*n6@p1^c5%y0"),
    (
        "SECRET_KEY = env(\"SECRET_KEY\", default=\"k&zq7)w2m!x-v9#t4+e8=h3*n6@p1^c5%y0\")",
        "k&zq7)w2m!x-v9#t4+e8=h3*n6@p1^c5%y0",
    ),
    ("token = \"Zx7[Kq#2mV}9pR;w4Ns\"", "Zx7[Kq#2mV}9pR;w4Ns"),
    // Keys without PEM lines.
    (
        "ec = \"MHQCAQEEIKm3Zx9Vt2Wq7RbN4sLp8HdYc5Kf6Jg1Ta0Ue3Ov9Pw2X\"",
        "IKm3Zx9Vt2Wq7RbN4sLp8HdYc5Kf6Jg1Ta0Ue3Ov9Pw2X",
    ),
    (
        "<D>q7Zx9Vt2Wq7RbN4sLp8HdYc5Kf6Jg1Ta0Ue3Ov9Pw2XKm3</D>",
        "q7Zx9Vt2Wq7RbN4sLp8HdYc5Kf6Jg1Ta0Ue3Ov9Pw2XKm3",
    ),
    // URLs.
    ("postgres://app:${DB_PASSWORD:-Kq9ZmXw2RbN7sVt4}@db/app", "Kq9ZmXw2RbN7sVt4"),
    ("f\"https://{user}:Otter7Pond@host/\"", "Otter7Pond"),
    (
        "https://mainnet.infura.io/v3/4c1d9e7a3b5f80264c1d9e7a3b5f8026",
        "4c1d9e7a3b5f80264c1d9e7a3b5f8026",
    ),
    // Comparisons, calls and sentences.
    ("if (\"Meadow7Lark\".equals(password)) {", "Meadow7Lark"),
    ("red:auth(\"thistle7Down\")", "thistle7Down"),
    (
        "<machineKey validationKey=\"5D2C9A5B1D4F8036A1B2C3D4E5F60718293A4B5C\" />",
        "5D2C9A5B1D4F8036A1B2C3D4E5F60718293A4B5C",
    ),
    ("the wifi passphrase for guests changed to Heron-Creek-31 today", "Heron-Creek-31"),
];

const HARMLESS: &[&str] = &[
    "msgid \"Your password was changed.\"",
    "\"Passwort vergessen? Einfach die Adresse eingeben\"",
    "// NOT CORRECT, BUT TESTS PASS ANYWAYS!",
    "Pass `--enable-feature=native-histograms` to the server.",
    "Pass ``configure()`` as many arguments as you like",
    "- :setting:`EMAIL_HOST_PASSWORD` becomes ``\"password\"``",
    "sets the user's password using\n",
    "KeyPassphrase Secret `yaml:\"key_passphrase,omitempty\"`",
    "github.com/scaleway/scaleway-sdk-go v1.0.0-beta.37",
    "\"pbkdf2-password\": \"1.2.1\",",
    "\"__meta_scaleway_instance_private_ipv4\": \"10.70.60.57\",",
    "printf \"%s\\n\" \"$as_me: error: in \\`$ac_pwd':\" >&2;}",
    "int require_auth = TLS_CLIENT_AUTH_YES;",
    "reply = redisCommand(ctx,\"AUTH %s\", config.conn_info.auth);",
    "auth_pass = sentinel.sentinel_auth_pass;",
    "auth_pass = server.requirepass;",
    "/* Compatibility with old configs. requirepass is used\n",
    "test {AUTH fails when a wrong password is given} {",
    "r HEXPIREAT key 2524600800 FIELDS 1 a",
    "if not usable_password:\n    return\n",
    "with self.subTest(password=password):\n    display_value = field\n",
    "[\n    \"auth_password\",\n    \"connection\",\n]",
    "field_order = [\"old_password\", \"new_password1\", \"new_password2\"]",
    "input[type=\"password\"]:focus, input[type=\"url\"]:focus {",
    "\"Sec-WebSocket-Key\": \"dGhlIHNhbXBsZSBub25jZQ==\"",
    "def test_removedafternextversionwarning_pending(self):",
    "aws/aws-sdk-go-v2/credentials v1.19.30 h1:TTCvvzFU6gXa4iJecNG/0F/B0oYTiazoRECr2XyLHrY=",
    "cache_key = \"tQ7mZx2LkV9pRw4NsB8yHd3C\"",
];

#[test]
fn a52_keys_that_their_context_reveals_are_removed() {
    let kept: Vec<_> =
        SECRETS.iter().filter(|(text, value)| redact(text).text.contains(value)).collect();
    assert!(kept.is_empty(), "{kept:#?}");
}

#[test]
fn a52_ordinary_text_in_these_contexts_stays() {
    let touched: Vec<_> = HARMLESS
        .iter()
        .filter(|text| redact(text).text != **text)
        .map(|text| redact(text).text)
        .collect();
    assert!(touched.is_empty(), "{touched:#?}");
}

#[test]
fn a52_a_name_in_code_is_not_removed_elsewhere() {
    let text = "password = 'walrus_trumpet'\nself.walrus_trumpet = walrus_trumpet\n";
    assert_eq!(
        redact(text).text,
        "password = '<redacted>'\nself.walrus_trumpet = walrus_trumpet\n"
    );
}
