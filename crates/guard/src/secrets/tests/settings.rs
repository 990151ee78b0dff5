//! Tests of secrets and look-alikes in settings, state files, device configurations and sentences in several languages.

use super::positions::{check_removed, check_unchanged};

#[test]
fn a52_a_neighbouring_field_marks_the_secret_of_an_object() {
    check_removed(&[
        (
            "{\"keyName\": \"key2\", \"value\": \"p7Xk2vQmZr9TnLw4Yb8Hc1DgSfJ3UeaTo5iVx0nMwBhEyCu==\"}",
            "p7Xk2vQmZr9T",
        ),
        (
            "\"type\": \"random_password\", \"name\": \"cache\", \"result\": \"wT4kZp9LmQx2\"",
            "wT4kZp9LmQx2",
        ),
        ("\"smtp\": {\"value\": \"Dunlin#4471x\", \"sensitive\": true}", "Dunlin#4471x"),
    ]);
    check_unchanged(&[
        "{\"keyName\": \"Escape\", \"value\": \"close\"}",
        "{\"value\": \"https://app.acme.io\", \"sensitive\": true}",
    ]);
}

#[test]
fn a52_a_secret_stands_beside_the_identifier_of_its_key() {
    check_removed(&[(
        "ossutil -i LTAI5tQ2WVN8MLR4ZPWC7Y1a -k J3UeaTo5iVx0nMwBhEyCuSdGkLtF9p",
        "J3UeaTo5iVx0",
    )]);
    check_unchanged(&["ossutil config -i $ID -k $SECRET", "coscmd config -a $ID -s $KEY"]);
}

#[test]
fn a52_directories_and_network_devices_name_their_passwords() {
    check_removed(&[
        ("ldap_default_authtok = Knot_and_Ruff5\n", "Knot_and_Ruff5"),
        ("binddn=\"cn=sync\" credentials=dunnock!7 searchbase=\"dc=x\"", "dunnock!7"),
        ("lena : EAP \"redshank22\"\n", "redshank22"),
        (" key 7 1C4A5B6E7F\n", "1C4A5B6E7F"),
        (" wpa-psk ascii 0 curlew-Bay9\n", "curlew-Bay9"),
        ("client 10.0.0.1 server-key 7 0A1B2C3D4E\n", "0A1B2C3D4E"),
    ]);
    check_unchanged(&[
        "Client(credentials=self.creds2)",
        "key 7 of the map is unused",
        "auth: EAP \"tls1.2\"",
    ]);
}

#[test]
fn a52_sentences_in_several_languages_give_a_password() {
    check_removed(&[
        ("비밀번호는 Sonamu#51 입니다", "Sonamu#51"),
        ("パスワードは Sakura-Mori6 です", "Sakura-Mori6"),
        ("Пароль: Beryoza_33k", "Beryoza_33k"),
        ("Mật khẩu là Hoasen@771 nhé", "Hoasen@771"),
        ("a senha do painel é Ipe!Roxo42", "Ipe!Roxo42"),
        ("shujuku_mima = \"guihua.2020.Lz\"", "guihua.2020.Lz"),
    ]);
    check_unchanged(&[
        "비밀번호는 8자 이상이어야 합니다",
        "Пароль: обязательное поле",
        "a senha é obrigatória",
        "la password è scaduta",
        "Passwort: mindestens 10 Zeichen",
        "mimalloc = 1",
    ]);
}

#[test]
fn a52_encrypted_values_and_placeholders_are_kept() {
    check_unchanged(&[
        "token: ENC[AES256_GCM,data:Zk3vQ9LmT2x=,iv:Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEyC=,type:str]",
        "db.password={cipher}0f3a91d07be64a53b1f0e9d2c6a78435",
        "PGPASSWORD=\"${DB_PASSWORD:?export DB_PASSWORD before}\"",
        "SLACK=xoxb-your-bot-token",
        "mysql://[user[:password]@]host[:port]",
        "# requirepass foobared\n",
        "cache key Linux-pip-8f2c91d07be64a53b1f0e9d2c6a7843509af1122bc",
        "password <- fromMaybe (error \"unset\") <$> lookupEnv name",
        "数据库密码：\n```yaml\nvalueFrom: x\n```",
    ]);
}

#[test]
fn a52_keys_beside_their_identifiers_are_removed() {
    check_removed(&[
        (
            "datadog:\n  apiKey: 7be64a53b1f0e9d2c6a784350f3a91d0\n  appKey: 0ba784350f3a91d07be64a53b1f0e9d24b1c77aa\n",
            "0ba78435",
        ),
        (
            "new OSSClientBuilder().build(\n    endpoint,\n    \"LTAI5tQ2WVN8MLR4ZPWC7Y1a\",\n    \"J3UeaTo5iVx0nMwBhEyCuSdGkLtF9p\");",
            "J3UeaTo5",
        ),
        (
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\",\"d\":\"jpsQnnGQmL9YBIffH1136cspYG6S0iY7X1fCE9vKxqI\"}",
            "jpsQnnGQ",
        ),
        ("{\"k\": \"Vt4Kq9ZmXw2RbN7sTn4RwYb7Hc1DgPfJ\", \"kty\": \"oct\"}", "Vt4Kq9Zm"),
    ]);
    check_unchanged(&[
        "secret_mask = 0b0010_1100_0010_1100;",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\"}",
    ]);
}

#[test]
fn a52_generated_parts_of_names_are_unchanged() {
    check_unchanged(&[
        "NAME   READY\ntoken-refresh-k7of2ou93-ee4ib   2/2     Running   0   3d",
        "Member consumer-token-sync-2-5be1f0a7-33c2-4d6e-9a51-0c7de4b82f19 left group",
        "r.jsx(\"input\",{type:\"password\",value:e,className:\"_pwd_7k2xq_31\"})",
    ]);
    check_removed(&[("token-5be1f0a7-33c2-4d6e-9a51-0c7de4b82f19 was issued", "33c2-4d6e")]);
}

#[test]
fn a52_the_secret_follows_the_identifier_that_it_was_issued_with() {
    check_removed(&[
        ("$api = new Api('rzp_live_Kx7mQ2vTn9LwRb', 'Vt4Kq9ZmXw2RbN7sTn4RwYb7');", "Vt4Kq9ZmXw2R"),
        (
            "razorpay.Client(auth=(\"rzp_test_Kx7mQ2vTn9LwRb\", \"Vt4Kq9ZmXw2RbN7sTn4RwYb7\"))",
            "Vt4Kq9ZmXw2R",
        ),
    ]);
    check_unchanged(&["new Api($id, 'Vt4Kq9ZmXw2RbN7sTn4RwYb7');"]);
}

#[test]
fn a52_seeds_of_stellar_accounts_have_a_checksum() {
    let seed = concat!("SCHRNMRF", "53QR2BN7JQHA5UUTLAXVBWAOHTQXIVWB7DZNVTXWEUS54HCH");
    check_removed(&[(&format!("# anchor wallet\n{seed}\n"), seed)]);
    let other = seed.replace("5UUT", "5UUA");
    check_unchanged(&[&other, &format!("A{seed}"), &format!("{seed}A"), &seed.to_lowercase()]);
}

#[test]
fn a52_the_root_password_of_an_installation_may_follow_options() {
    check_removed(&[
        ("rootpw --plaintext gr4yHeron\nlang en_US\n", "gr4yHeron"),
        ("rootpw --allow-ssh --plaintext gr4yHeron\n", "gr4yHeron"),
        ("rootpw gr4yHeron\n", "gr4yHeron"),
    ]);
    check_unchanged(&[
        "rootpw --lock\n",
        "rootpw --plaintext $ROOT_PW\n",
        "rootpw --iscrypted --lock\n",
    ]);
}

#[test]
fn a52_a_recovery_phrase_follows_the_number_of_its_words() {
    let words =
        "orbit velvet canyon ribbon tunnel magnet harvest puzzle copper lantern anchor meadow";
    check_removed(&[
        (&format!("user: I have the 12 words: {words}\nagent: Please delete this!"), words),
        (&format!("The twelve words are: {words}"), words),
    ]);
    check_unchanged(&[
        &format!("Sort these 12 words: {words} whisper"),
        "The title has 12 words: seven about the river and five about the boats that cross",
    ]);
}

#[test]
fn a52_maps_of_secrets_contain_generated_values() {
    check_removed(&[
        (
            "var partnerKeys = map[string]string{\n\t\"acme\": \"Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEyCuSdGk\",\n\t\"b\": \"Kq9ZmXw2RbN7sVt4_p7Xk2vQmZr9TnLw4Yb8\",\n}\n",
            "Kq9ZmXw2RbN7",
        ),
        ("API_KEYS = {'acme': 'Kq9ZmXw2RbN7sVt4_p7Xk2vQm'}", "Kq9ZmXw2RbN7"),
        ("$clientSecrets = [\n  'acme' => 'Kq9ZmXw2RbN7sVt4_p7Xk2vQm',\n];", "Kq9ZmXw2RbN7"),
        ("\"tokens\": [\"x\", \"kq9zmxw2rbn7svt4p7xk2vqm\"]", "kq9zmxw2rbn7"),
    ]);
    check_unchanged(&[
        "publicKeys = {\"acme\": \"Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEyCuSdGk\"}",
        "monkeys = {\"acme\": \"river-crossing-with-boats-2024\"}",
        "cacheKeys = [\"Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEyCuSdGk\"]",
        "keys = {\"build\": \"Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEyCuSdGk\"}",
        "sortedKeys = rows[\"Tn4RwYb7Hc1DgPfJ3UeaTo5iVx0nMwBhEyCuSdGk\"]",
        "partnerKeys = {\"acme\": \"partner_key_of_acme_2024\"}",
    ]);
}

#[test]
fn a52_checksums_attributes_and_events_are_unchanged() {
    check_unchanged(&[
        "    checksum/secret: 7be64a53b1f0e9d2c6a784350f3a91d07be64a53b1f0e9d2c6a784350f3a91d1\n",
        "<el-input type=\"text\" show-password @keyup.enter=\"submitLogin\" />",
        "<el-input show-password :placeholder=\"hint\" />",
        "{\"action\":\"api_key.rotated\",\"target\":\"key_k7of2ou93ee4ibw8x1qz\"}",
    ]);
}
