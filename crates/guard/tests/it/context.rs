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
    (
        "authenticate(user_id, \"q7Wz/LkV9pRw4NsB8yHd3CmX2tZv5Jg1\")",
        "q7Wz/LkV9pRw4NsB8yHd3CmX2tZv5Jg1",
    ),
    ("red:auth(\"thistle7Down\")", "thistle7Down"),
    (
        "<machineKey validationKey=\"5D2C9A5B1D4F8036A1B2C3D4E5F60718293A4B5C\" />",
        "5D2C9A5B1D4F8036A1B2C3D4E5F60718293A4B5C",
    ),
    ("the wifi passphrase for guests changed to Heron-Creek-31 today", "Heron-Creek-31"),
];

const HARMLESS: &[&str] = &[
    "label = \"The password was replaced.\"",
    "\"Passwort vergessen? Wir schicken ein neues\"",
    "// FIXME: THE ORDER IS WRONG, BUT ALL CASES PASS NEVERTHELESS!",
    "Pass `--with-colours=always` to the printer.",
    "Pass ``arrange()`` a list of rows",
    "- The option `MAILER_PASSWORD` becomes `\"password\"`.",
    "stores the user's password using\n",
    "Phrase string `json:\"store_passphrase,omitempty\"`",
    "example.org/scaleway/scaleway-client v2.4.0-rc.11",
    "\"hash-password\": \"4.0.17\",",
    "\"scaleway_private_ipv4\": \"10.31.7.12\",",
    "echo \"cannot open '$old_pwd':\" >&2; }",
    "int needs_auth = PEER_MUST_PRESENT_CERT;",
    "send(link, \"AUTH %s\", options.link_info.auth);",
    "node_pass = cluster.shared_node_pass;",
    "node_pass = cluster.nodepass;",
    "/* For old files: the password is used\n",
    "case {login fails when a short password is given} {",
    "client EXPIREAT key 1893456000 FIELDS 2",
    "if not stored_password:\n    continue\n",
    "with attempt(password=password):\n    shown_value = field\n",
    "[\n    \"mail_password\",\n    \"transport\",\n]",
    "fields = [\"current_password\", \"next_password1\", \"next_password2\"]",
    "form [name=\"password\"]:hover, form [name=\"email\"]:hover {",
    "\"Sec-WebSocket-Key\": \"qZk3vN8sLx4TfR1mYcWb7g==\"",
    "def test_warningisshownonlyonceperinterpreter_later(self):",
    "example.org/sdk/credentials v1.4.9 h1:QkVvzWU6gXb4iKecMG/1F/C0oZTibzoSEDr3XzLIsZ=",
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
