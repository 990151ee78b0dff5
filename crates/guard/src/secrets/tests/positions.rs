//! Tests of secrets that are found by their position: one test for each kind of position (A52).

use super::presented;
use crate::redact;

/// Checks that every text loses its value, which is given after the text, and that it also loses it if a program has
/// added a prefix to each line.
pub(super) fn check_removed(cases: &[(&str, &str)]) {
    let keeps = |text: &str, value: &str| redact(text).text.contains(value);
    let mut kept = Vec::new();
    for (text, value) in cases {
        kept.extend(keeps(text, value).then(|| (*text).to_owned()));
        kept.extend(presented(text).into_iter().filter(|presented| keeps(presented, value)));
    }
    assert!(kept.is_empty(), "{kept:#?}");
}

pub(super) fn check_unchanged(texts: &[&str]) {
    let touched: Vec<_> = texts.iter().filter(|text| redact(text).text != **text).collect();
    assert!(touched.is_empty(), "{touched:#?}");
}

#[test]
fn a52_a_key_and_a_value_without_an_operator_are_a_setting() {
    check_removed(&[
        ("base dc=acme\nbindpw n3ttle^Coppice\nssl on\n", "n3ttle^Coppice"),
        ("rootpw Heron_Slate9\n", "Heron_Slate9"),
        ("user bob\npassword tansy.Gravel.moor\n", "tansy.Gravel.moor"),
        ("peer 10.0.0.1 authentication pre-shared-secret Sparrow77\n", "Sparrow77"),
    ]);
    check_unchanged(&[
        "bindpw ${LDAP_BIND_PW}\n",
        "The bindpw option must be set.\n",
        "type Config struct {\n\tPassword sql.NullString\n\tSecret corev1.Secret\n}\n",
        "password sufficient pam_unix.so sha512\n",
    ]);
}

#[test]
fn a52_a_password_after_a_slash_belongs_to_the_user_before_it() {
    check_removed(&[
        ("- iDRAC at 10.11.0.201 -> root / iDr@c-Turnstone\n", "iDr@c-Turnstone"),
        ("vcenter: administrator@vsphere.local / Vc3nter!Osprey", "Vc3nter!Osprey"),
        ("login: svc_backup / Teal.on.Ice", "Teal.on.Ice"),
    ]);
    check_unchanged(&[
        "root / administrator privileges are required",
        "Contact: bob@acme.com / Alice-Smith",
        "Login page / Two-Factor",
        "iscsicli LoginTarget iqn.2025-08.local.nas:backup.lun1",
    ]);
}

#[test]
fn a52_a_message_may_contain_a_password() {
    check_removed(&[
        ("user is brambling7, pw Gr4nny.Smith.Pie (capital G)", "Gr4nny.Smith.Pie"),
        ("%any 10.0.0.1 : PSK \"buzzard on thermals\"", "buzzard on"),
    ]);
    check_unchanged(&[
        "The login service was rewritten, the new one is auth-Service2",
        "alice: what's the grafana pw?\nbob: ask carol",
        "Forgot password?\nContact IT-Support",
        "Use the same username with a different password.",
        "passphrase: leave empty for no passphrase",
        "unlock phrase: enter the phrase you chose",
        "chpasswd <<EOF\nroot:$PW\nEOF\n",
        "chown root:docker /var/run/docker.sock",
    ]);
}

#[test]
fn a52_every_code_of_a_list_of_recovery_codes_is_removed() {
    let text = "GitHub backup codes:\n  25634-573e6\n  ee4ca-5cb67\n\nKeep them safe.";
    let expected = "GitHub backup codes:\n  <redacted>\n  <redacted>\n\nKeep them safe.";
    assert_eq!(redact(text).text, expected);
    check_removed(&[
        ("Recovery codes:\n1. 4821 9930\n2. 7713 2045\n", "7713"),
        ("TOTP seed: JBSW Y3DP EHPK 3PXP Q7RT", "EHPK"),
    ]);
    check_unchanged(&[
        "Recovery codes (8 digits each)\n2024-05-01 created\n",
        "Backup codes: 8 remaining",
    ]);
}

#[test]
fn a52_the_value_after_an_option_is_assigned() {
    check_removed(&[
        ("helm install x --set adminPassword=Pr0m-wheel-house \\\n", "Pr0m-wheel"),
        ("terraform apply -var 'admin_password=Dotterel.Fell.8'", "Dotterel"),
    ]);
    check_unchanged(&[
        "helm install x --set auth.existingSecret=app-auth --set adminPassword=$ADMIN_PW",
        "secretKeys:\n  adminPasswordKey: postgres-password\n",
        "- Deprecated `--password` because it shows up in the process list",
    ]);
}

#[test]
fn a52_a_command_prints_the_secret_on_the_next_line() {
    check_removed(&[
        ("$ kubectl get secret mq -o jsonpath='{.data.p}' | base64 -d\nVrVxHRklXJ5oSrJC\n", "VrVx"),
        ("$ vault kv get -field=password secret/db\nsmew-Lagoon-winter\n", "smew-Lagoon"),
        ("$ echo $GITLAB_TOKEN\nq8Zx2LmW9vRt4NsBpYdH\n", "q8Zx2LmW"),
    ]);
    check_unchanged(&[
        "PASS=$(kubectl get secret db -o jsonpath='{.data.p}' | base64 -d)\nDeploy-App.v2x\n",
        "$ vault kv get -field=password secret/db > pw\nMake-Release.2x\n",
        "/etc/ssl/private/site.key\n/run/secrets/api_token\nC:\\Users\\bob\\Secret2\n",
        "$ kubectl get secret db -o jsonpath='{.metadata.name}'\ndb-Credentials-v2\n",
    ]);
}

#[test]
fn a52_keys_with_short_or_unusual_names_are_removed() {
    check_removed(&[
        ("ak = NyKlXwoBJ1sLNkjf\nsk = j8LVOF5wRleKadTKvL2LVpF6EwU0UWa8PIeOURrY\n", "j8LVOF5w"),
        ("- routing_key: 46196e48748336bcbd5c3ba391b68e4e\n", "46196e48"),
        ("accessKey: 'files',\n  secretKey: 'Files_Minio@2o24',\n", "Files_Minio"),
        ("# config/master.key was: 25c1d5c9b6e252af29a27af4dabe84b1", "25c1d5c9"),
        ("-H 'X-JFrog-Art-Api: cmVmdGtuOLGa0KbQHnrE0ulftlRHTK2F06pgmhwhZjvo'", "cmVmdGtuOLGa"),
        ("credential.Credential(\"AKIDx\", \"dXCfjeENdULaE2YFialIME5ixu6gsw9i\")", "dXCfjeEN"),
        ("邮箱授权码 qkzvbtnmwjxhdgfa", "qkzvbtnmwjxhdgfa"),
    ]);
    check_unchanged(&[
        "routing_key: tasks.high_priority",
        "sk = SigningKey.generate()",
        "{\"pk\": \"ORG#acme\", \"sk\": \"USER#123#ORDER#2024-01-01\"}",
        "new Client({ accessKey: accessKey, secretKey: secretKey })",
    ]);
}

#[test]
fn a52_cookies_in_fields_and_tables_are_removed() {
    check_removed(&[
        (
            "{\"name\": \"set-cookie\", \"value\": \"PORTALSESSID=bhcka6ohorl0vy459p1os0ri4l; path=/\"}",
            "bhcka6oho",
        ),
        (
            "cookies = {'theme': 'dark', 'sessionid': 'q8zx2lmw9vrt4nsbpydhcjf6ggt7kkq8'}",
            "q8zx2lmw",
        ),
    ]);
    check_unchanged(&["{\"name\": \"set-cookie\", \"value\": \"theme=dark; Max-Age=31536000\"}"]);
}

#[test]
fn a52_public_values_and_instructions_are_unchanged() {
    check_unchanged(&[
        "DB_PASSWORD=changeme\nJWT_SECRET=replace-with-a-long-random-string\n",
        "if (pam_get_authtok(pamh, PAM_AUTHTOK, &password, \"Password: \") != PAM_SUCCESS)\n",
        "keyring.set_password(\"wren-cli\", username, prompt_password())",
        "client_id: 219736176794-qtg1emqo2tkhcjxe4uo2m77rm8cz5i8e.apps.googleusercontent.com",
        "applicationServerKey = 'BcyBY2R78vhFV9-hh14-0ndrLPnnK8ITWFh_sgPe-a0jhLWEe1pcA1HqZ_Wq2Dv90UXa34gqv-l-igeOipxWNmy'",
    ]);
}

#[test]
fn a52_a_chosen_password_follows_its_chinese_name_directly() {
    check_removed(&[
        ("ssh ops@10.0.0.5（端口 2222，密码 Tai_yang5hua）", "Tai_yang5hua"),
        ("打印机后台进不去，之前的密码dayinji_7ceng不对，请重置", "dayinji_7ceng"),
        ("总部预共享密钥：szVPN-2031。", "szVPN-2031"),
        ("交换机团体字只读为 gzidc-ro-48，已同步", "gzidc-ro-48"),
        ("snmp-agent community read cipher shnet-ro-52\n", "shnet-ro-52"),
        ("snmp-agent community write simple Yunhe@snmpQ8\n", "Yunhe@snmpQ8"),
        ("redis:\n  port: 6379\n  password: Neicun_2o31  # 缓存\n", "Neicun_2o31"),
        ("jwt:\n  secret: yunhe-portal-Sign@2031\n  expire: 60\n", "yunhe-portal"),
        ("docker login r.acme.net -u pull -p 'Thistle%Sock42'", "Thistle%Sock42"),
        ("<username>build</username>\n<password>harbor5Times&amp;over</password>", "over"),
        (
            "BitLocker recovery key: 418220-571934-602781-330948-142857-264197-095832-408166\n",
            "571934-602781",
        ),
        ("发件人 ops@acme.cn，SMTP 授权码 KWPXLMQZTHGSVEBU，端口 465", "KWPXLMQZ"),
        ("amapKey: '7be1c95a40f3d2286e0b97ac1dfe6a53',", "7be1c95a"),
        ("set mode=dynamic types=wpa2-psk wpa2-pre-shared-key=\"kettle-Comet-83\"", "kettle-Comet"),
    ]);
    check_unchanged(&[
        "修改密码 API 使用 POST /v2/users/reset",
        "团体名最长 32 个字符",
        "预共享密钥：请联系网络管理员",
        "密码 POST 请求见 user_api.md",
    ]);
}
