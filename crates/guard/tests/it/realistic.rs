//! Secrets in forms that leaked before the scorer (A52), and look-alikes next to them.

use guard::redact;

/// Pairs of a text and the secret value that it contains.
const LEAKED: &[(&str, &str)] = &[
    ("DB_PASS=Summer2024!", "Summer2024!"),
    ("db_pass: hunter2", "hunter2"),
    ("password = \"rootpasswd\"", "rootpasswd"),
    ("jdbc:mysql://db:3306/app?user=root&password=Winter99x&ssl=true", "Winter99x"),
    ("jdbc:sqlserver://db:1433;user=sa;password=Tiger2023!;", "Tiger2023!"),
    ("sshpass -p Falcon77 ssh root@10.0.0.4", "Falcon77"),
    ("mysql -uroot -p'rocket_77' app", "rocket_77"),
    ("CREATE USER 'app'@'%' IDENTIFIED BY 'castle-88';", "castle-88"),
    ("INSERT INTO users (name, password) VALUES ('bob', 'hunter2');", "hunter2"),
    ("username,password,mail\nbob,hunter2,bob@example.com\n", "hunter2"),
    ("machine api.example.com login deploy password Garden42", "Garden42"),
    ("数据库口令：Dragon2024!", "Dragon2024!"),
    ("密钥：9f86d081884c7d659a2feaa0c55ad015", "9f86d081884c7d659a2feaa0c55ad015"),
    ("管理员密码是 Tiger#2023", "Tiger#2023"),
    ("ConvertTo-SecureString \"Purple7$x\" -AsPlainText -Force", "Purple7$x"),
    ("password=ab12&cd34", "cd34"),
    (
        "PRIVATE_KEY=0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318",
        "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318",
    ),
    (
        "mnemonic: \"legal winner thank year wave sausage worth useful legal winner thank yellow\"",
        "legal winner thank",
    ),
    (
        "<secret>acme AQAAABAAA xTiPNSDg6JjzG8fWoLb8JlE8SBcM</secret>",
        "xTiPNSDg6JjzG8fWoLb8JlE8SBcM",
    ),
    ("Your acme key is 4f9c2e7ab81d4c0e9a7755d1", "4f9c2e7ab81d4c0e9a7755d1"),
    ("acme SECRET 1234567890abcdef1234567890abcdef", "1234567890abcdef1234567890abcdef"),
    ("[DEBUG] Using Key=abcdef1234567890abcdef12", "abcdef1234567890abcdef12"),
    ("client.setApiKey(\"9a8b7c6d5e4f3a2b1c0d\")", "9a8b7c6d5e4f3a2b1c0d"),
    (
        "{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj…",
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj",
    ),
    (
        "kqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\\n-----END PRIVATE KEY-----\\n\"",
        "kqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
    ),
    (" local-user wang password simple Lake@Core77", "Lake@Core77"),
    ("tls {\n\tdns cloudflare q7Rk2mXw9TzLb4Vn8HsYc1DfGj5PpUe3AoKi6Bt\n}", "q7Rk2mXw9TzLb4Vn"),
    (
        "\"Cookie\": \"SUB=_2A25Qx9LtRe7Ukzo_VF4kp-sM2E8WnsYxb1c5K3JgHds_94mzXuMqlnvdaT6wPkJro\"",
        "_2A25Qx9LtRe7Ukzo",
    ),
];

const LOOK_ALIKES: &[&str] = &[
    "echo \"//registry.npmjs.org/:_authToken=${NPM_TOKEN}\" >> ~/.npmrc",
    "password = get_password()",
    "password: str",
    "token = self.token",
    "password = \"password\"",
    "\"password\": \"Enter your password\"",
    "passwd = passwd.encode('utf-8')",
    "password: ${{ secrets.DOCKER_PASSWORD }}",
    "The password is stored as a hash.",
    "密码长度为8到16位",
    "commit: 9f86d081884c7d659a2feaa0c55ad0159f86d081",
    "key_id: 155c5b0e03ca98c231cffe4a2e4d9f885f624c04",
];

#[test]
fn a52_secrets_as_people_write_them_are_removed() {
    let kept: Vec<_> =
        LEAKED.iter().filter(|(text, value)| redact(text).text.contains(value)).collect();
    assert!(kept.is_empty(), "{kept:#?}");
}

#[test]
fn a52_base64_of_a_known_token_is_removed() {
    // base64 of `ghp_` and 36 letters and digits
    let encoded = concat!("Z2hwX2s3V20ycFE5eExyNFRuOHZC", "ejNZYzZIZDFGajVHczBhRXVJbw==");
    let text = format!("value: {encoded}");
    assert!(!redact(&text).text.contains(encoded), "{}", redact(&text).text);
}

#[test]
fn a52_values_that_resemble_secrets_are_unchanged() {
    for text in LOOK_ALIKES {
        assert_eq!(redact(text).text, *text);
    }
}
