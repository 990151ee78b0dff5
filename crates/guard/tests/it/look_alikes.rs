//! Lines of ordinary projects that look like secrets but are not: documentation, tests, rules, defaults. None of them
//! may change.

use guard::redact;

/// Lines in the style of manuals, fixtures and rule files, written for this test.
const LINES: &[&str] = &[
    "export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "GITLAB_TOKEN: glpat-XXXXXXXXXXXXXXXXXXXX",
    "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "regex = '''ghp_[0-9a-zA-Z]{36}'''",
    "re.compile(r\"AKIA[0-9A-Z]{16}\")",
    "token: \"fake-token-7f3a9b2c4d\"",
    "encoded = make_password(password, hasher=\"bcrypt_sha256\")",
    "let token = format!(\"2026-01-27T12:34:56Z|{id}\");",
    "DATABASE_URL=postgres://postgres:postgres@localhost:5432/app",
    "amqp://guest:guest@rabbitmq:5672/",
    "password = os.environ[\"DB_PASSWORD\"]",
    "<a class=\"token\" href=\"#/s:9Alamofire10HTTPMethodO3getyA2CmF\">get</a>",
    "<input name=\"token\" id=\"9Al0fire10HTTPMethodO3getyA2CmF\">",
    "secretName: tls-wildcard-example-com",
    "token_url = \"https://auth.example.com/oauth2/v1/token\"",
    "integrity: sha512-oVLDQ1Fz4yx9n5yBWnNB1zEuHfG1bDxJ5mVW0lYVZ1mEzq5nSb2Fh1a==",
    "password_field = 'user_password2_confirmation'",
    "max_tokens=4096, tokenizer=\"cl100k_base\"",
    "if token.kind == TokenKind::OpenBrace2 {",
    "const AUTH_HEADER = 'X-Api-Key-V2';",
    "secret: ${{ secrets.DEPLOY_KEY_2024 }}",
    "--token $(cat /run/secrets/api-token)",
    "key: {{ include \"chart.fullname\" . }}-tls-v1",
    "uses: actions/checkout@8ade135a41bc03ea155e62e844d188df1ea18608",
    "public_key = \"04a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd\"",
    "form.errors.password = \"Password must have 12 characters and contain a digit\";",
    "extra_kwargs = {\"password\": {\"write_only\": True}}",
    "spring.mail.password=@mail.password@",
    "WEBHOOK=https://hooks.slack.com/services/AAA/BBB/CCC",
    "key = \"-----BEGIN PRIVATE KEY-----\\n<your key>\\n-----END PRIVATE KEY-----\"",
    "CREATE USER reader WITH PASSWORD :'reader_password';",
    "name,email,password_last_changed,active\nkim,kim@corp.example,2026-02-14,true\n",
    "publishableKey: 'pk_test_rT41bQw8ZsLd93VxkPn0uYhe',",
    "passwd:         files systemd\nshadow:         files",
    "\"token\": \"0x0000000000000000000000000000000000000000\",",
];

#[test]
fn a52_look_alikes_are_unchanged() {
    let touched: Vec<_> = LINES
        .iter()
        .map(|line| redact(line))
        .filter(|redacted| !redacted.redactions.is_empty())
        .collect();
    assert!(touched.is_empty(), "{touched:#?}");
}

/// Public identifiers, digests and stand-ins for a removed or default password.
const PUBLIC_VALUES: &[&str] = &[
    "token-refresher-9cbcd5a5cb-6w99j   1/1   Running   0   3d",
    "OKTA_CLIENT_ID=0oaPuNzcZn8m0N5MsEEi\nARM_CLIENT_ID=3d745c25-9673-42fb-8d92-ceff948d0e28",
    "{\"total_tokens\": 8, \"id\": \"cmpl-D9BA6ExSxZ6v4LyUG2zLv60U8M81g\"}",
    "\"Repeat password\" = \"Gjenta passord\";\n\"Password\" = \"Passord\";",
    "\"password\": \"Şifre\", \"forgot_password\": \"Şifremi unuttum\"",
    "POSTGRES_USER: postgres\nPOSTGRES_PASSWORD: postgres",
    "user: wallaby\npassword: wallaby",
    "SPEC CHECKSUMS:\n  FirebaseAuth: a00eddd19a961be36fcbfcf651fd362ab0e88747\n",
    "\"hashed_secret\": \"33802672665008dcc889f217a4ba9e0a4892a209\",",
    "password: REDACTED\npasswd: OMITTED",
    "\"SavePassword\"=dword:00000001",
    "\"nextPageToken\": \"b2Zmc2V0PTIwMCZsaW1pdD0xMDA=\"",
    "ENV GPG_KEY A487D8C703B7E6B2DFA55C71620F7115ABAD7F8A",
    "tls_private_key.ca: Refreshing state... [id=0f13893f2938c26507a97086ddd409d8ba886156]",
    "SecretARN: arn:aws:secretsmanager:us-east-1:601478820372:secret:prod/db-SxQwO4",
];

#[test]
fn a52_public_identifiers_and_stand_ins_are_unchanged() {
    for text in PUBLIC_VALUES {
        assert_eq!(redact(text).text, *text);
    }
}

#[test]
fn a52_secrets_beside_public_identifiers_are_removed() {
    for (text, secret) in [
        ("CLIENT_ID=0oaPuNzcZn8m0N5MsEEi\nCLIENT_SECRET=vQ8tL2mZx7RkW4pNcB9yHd3S", "vQ8tL2mZ"),
        ("  ApiToken: a00eddd19a961be36fcbfcf651fd362ab0e88747\n", "a00eddd1"),
        ("user: postgres\npassword: wombat-Lantern7", "wombat"),
        ("{\"tokens\": 8, \"api_key\": \"D9BA6ExSxZ6v4LyUG2zLv60U8M81\"}", "D9BA6Ex"),
    ] {
        assert!(!redact(text).text.contains(secret), "{text}");
    }
}
