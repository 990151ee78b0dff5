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
