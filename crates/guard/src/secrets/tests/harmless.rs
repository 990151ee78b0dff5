//! Tests of harmless values after the name of a secret, and of secrets that look similar.

use super::positions::{check_removed, check_unchanged};

#[test]
fn a52_values_that_state_that_they_are_examples_are_unchanged() {
    check_unchanged(&[
        "WEATHER_API_KEY=t4RqmEXAMPLEEXAMPLEw9Zk2",
        "HARBOUR_ACCESS_KEY=48211EXAMPLEEXAMPLE70932",
        "METRICS_PASSWORD=collector7_EXAMPLE",
        "REPORTS_DB_PASSWORD=YOUR_TOKEN_HERE_PLACEHOLDER_VALUE",
        "mysql://app:YOUR_TOKEN_HERE@db.acme.io/app",
        "\"password\": \"set-your-rabbit-pass-here\"",
        "password: 'placeholder-secret.98765'",
        "password='__JENKINS_OAUTH_SECRET__'",
        "password = \"ARTIFACTORY_ACCESS_TOKEN\"",
        "secret: \"PROVIDE-A-TOKEN-SALT\"",
        "password: 'FIXME!qz7'",
    ]);
    check_removed(&[
        ("DB_PASSWORD=Example2024!x", "Example2024!x"),
        ("password = \"MYEXAMPLE77\"", "MYEXAMPLE77"),
        ("password: 'love-your-neighbour-daily'", "neighbour"),
        ("mysql://app:your2Otters!@db.acme.io/app", "your2Otters"),
        ("API_KEY=t4Rqmexamplew9Zk2Vb7Xn", "t4Rqmexample"),
        ("password = \"HERON_ON_SLATE\"", "HERON_ON_SLATE"),
        ("password = \"TODO2024!heron\"", "TODO2024"),
        ("secret = \"QXZT_WKPL_RMNV_JHGD\"", "QXZT_WKPL"),
    ]);
}

#[test]
fn a52_masks_after_a_prefix_are_unchanged() {
    check_unchanged(&[
        concat!("gl", "sa_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX_BBBBBBBB"),
        concat!(
            "token = \"xxxxxxxxxxxxxx.atla",
            "sv1.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\""
        ),
        "--token=\"sha256~XXXXXXX_PASTE_YOUR_TOKEN_HERE_XXXXXXXXXXXXX\"",
        "client_secret=kT38Q~xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        concat!("xo", "xb-xo", "xb-my-app-token"),
        concat!("xoxe.xo", "xp-1-WorkspaceInstallationTokenHere"),
        "RELAY_API_KEY=relay_0000000000000000000000000000000000000000",
    ]);
    check_removed(&[
        (concat!("gl", "sa_Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBh_b38efe3e"), "Tn4RwYb7"),
        ("client_secret=kT38Q~Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEy", "Tn4RwYb7"),
        ("RELAY_API_KEY=relay_00000000000000007be64a53b1f0e9d2", "7be64a53"),
    ]);
}

#[test]
fn a52_alphabets_public_tokens_and_files_are_unchanged() {
    check_unchanged(&[
        "const allowedKeyChars = \"0123456789abcdefghijklmnopqrstuvwxyz_-.\"",
        "const keyStr = \"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\";",
        "keyVaultForTeamSecrets: rdx4-prd-1409317722",
        "\"credentialId\": \"Tn4RwYb7Hc1DgPfJ3Uea\",",
        "credentials_id = \"Tn4RwYb7Hc1DgPfJ3Uea\"",
        "publicToken = \"Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEyCu\"",
        "  ReactCameraKitView: 7be64a53b1f0e9d2c6a784350f3a91d07be64a53\n",
        "https://cdn.acme.io/img/banner.ico-7be64a53b1f0e9d2c6a784350f3a91d0.png",
        "PASSWORD='icons/outline-field-password.svg'",
        "secret: \"deploy-robot-abc123.json\"",
    ]);
    check_removed(&[
        ("api_key = \"abcdefghijklmnopqrstuvwxyz123456\"", "abcdefghij"),
        ("NEXT_PUBLIC_API_KEY=Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBh", "Tn4RwYb7"),
        ("\"credential\": \"Tn4RwYb7Hc1DgPfJ3UeaTo5i\"", "Tn4RwYb7"),
        ("MERAKI_KEY: 7be64a53b1f0e9d2c6a784350f3a91d07be64a53", "7be64a53"),
        ("INFRACOST=ico-Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBh", "Tn4RwYb7"),
        ("password = \"Heron/Slate9\"", "Heron/Slate9"),
    ]);
}

#[test]
fn a52_texts_of_user_interfaces_are_unchanged() {
    check_unchanged(&[
        "\"one_time_password\": \"Kertakoodi:\",",
        "\"createPassword\": \"Maak een wachtwoord, minimaal 8 tekens.\",",
        "\"new_password\": \"Vul een nieuw wachtwoord van 10 tekens in.\",",
        "\"lost_password\": \"Hai dimenticato tutto?\"",
    ]);
    check_removed(&[
        ("\"password\": \"Tern:Slate9\"", "Tern:Slate9"),
        ("password = \"Correct Heron Battery Slate!\"", "Heron"),
        ("password: \"Kertakoodi7:\"", "Kertakoodi7"),
        ("password = \"Seven herons over slate.\"", "herons over"),
    ]);
}

#[test]
fn a52_names_of_stored_secrets_are_unchanged() {
    check_unchanged(&[
        "secret:'user-columns-encryption'",
        "secret_key='billing-kafka-client-cert'",
        "imagePullSecret=\"team-registry\"",
        "Path to Secret: \"harbour-registry-tokens\"",
        "AppLoginSecret = \"app42-login\"",
        "upload_secret = \"not-a-uuid\"",
    ]);
    check_removed(&[
        ("password: 'user-columns-encryption'", "user-columns"),
        ("JWT_SECRET='amber-heron-slate-key'", "amber-heron"),
        ("session({ secret: 'amber-heron-login' })", "amber-heron"),
        ("secret = \"amber-heron-slate\"", "amber-heron"),
        ("secret = \"t4r9-w2zk-7vbx-key\"", "t4r9-w2zk"),
    ]);
}

#[test]
fn a52_encrypted_values_commands_and_empty_key_blocks_are_unchanged() {
    let encrypted = "ENC[AES256_GCM,data:Zk3vQ9LmT2xWb7Yc=,iv:Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEyC=,tag:Kq9ZmXw2RbN7sVt4p7Xk==,type:str]";
    check_unchanged(&[
        &format!("secretTemplates:\n  - name: {encrypted}\n"),
        &format!("kind: Secret\nstringData:\n  user: {encrypted}\n"),
        &format!("{{\"kind\": \"Secret\", \"data\": {{\"user\": \"{encrypted}\"}}}}"),
        "https://mailto:kim.lee7@acme.io",
        "-----BEGIN PRIVATE KEY-----\nINSERT YOUR KEY\n-----END PRIVATE KEY-----",
        "\"-----BEGIN PRIVATE KEY-----\\nYOUR_SIGNING_KEY\\n-----END PRIVATE KEY-----\\n\"",
        "-----BEGIN PRIVATE KEY-----\n...........\n-----END PRIVATE KEY-----",
        "<password>`vault read secret/db`</password>",
        "password: '`pwgen 16 1`'",
        "password=$(op read op://team/db)",
        "password: \"&lt;password_of_admin&gt;\"",
        "password='mail.relay.password=\"$RELAY_PASSWORD\"'",
    ]);
    check_removed(&[
        ("kind: Secret\nstringData:\n  user: Heron9Slate\n", "Heron9Slate"),
        ("https://kim:lee7Tern@acme.io", "lee7Tern"),
        (
            "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----",
            "MIIEvQIBADAN",
        ),
        ("password: `Heron9Slate`", "Heron9Slate"),
        ("password: '`Heron9Slate`'", "Heron9Slate"),
    ]);
}

#[test]
fn a52_calls_dates_and_publishable_keys_are_unchanged() {
    check_unchanged(&[
        "pwd = ''.join(random.choices(letters + digits, k=24))",
        "password = \"\".join(secrets.choice(chars) for _ in range(18))",
        "user,last_password_change,role\nmira,2025-03-14,admin\nolaf,2025-04-02,guest",
        concat!("<div data-sitekey=\"6L", "gqmWt3AAAAAKf2vXbN8rTzY4hPcJd7LsQe1uMwGo\"></div>"),
        "--password-hint-colour: #c0ffee;",
        "数据库密码放在配置中心，dataId 是 stock-service-prod.yaml",
        "implementation(\"io.tokenkit:tokenkit-core:2.14.1\")",
        "echo \"password: %s\"",
        "  password: String50\n",
        concat!("VITE_POSTHOG_KEY=ph", "c_7QvRkXnTzLwPdHsGfMbYcJaUe2NoW4iSgKm9tBrEx1Z"),
    ]);
    check_removed(&[
        ("password = '.joinThe7!Club'", "joinThe7"),
        ("user,password,role\nmira,Heron-2025-03,admin", "Heron-2025-03"),
        (concat!("RECAPTCHA_SECRET=6L", "gqmWt3AAAAAKf2vXbN8rTzY4hPcJd7LsQe1uMwGo"), "Kf2vXbN8rTz"),
    ]);
}
