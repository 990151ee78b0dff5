//! Secrets that are recognised only by their position (A52): literals assigned to a password, arguments of calls and
//! commands, pairs in prose; and harmless values in the same positions.

use guard::redact;

/// Pairs of a text and the secret value that it contains.
const SECRETS: &[(&str, &str)] = &[
    // A literal assigned to the name of a password.
    ("password: 'marigoldfield'", "marigoldfield"),
    ("DB_PASSWORD = \"lantern-harbour\"", "lantern-harbour"),
    ("define('FTP_PASS', 'cheese4dinner');", "cheese4dinner"),
    ("'password' => 'walrus-trumpet',", "walrus-trumpet"),
    ("<Password>build-server-pw</Password>", "build-server-pw"),
    ("keyPassword 'upload-key-pw'\n", "upload-key-pw"),
    ("psk=\"cellar-door-open\"", "cellar-door-open"),
    ("session({ secret: 'purple-monkey-live' })", "purple-monkey-live"),
    ("{\"body\":\"{\\\"passwd\\\":\\\"dr4gonfruit\\\"}\"}", "dr4gonfruit"),
    ("https://example.com/cgi?user=a&pwd=Mang0Tree&x=1", "Mang0Tree"),
    ("bind_pw = Thistle-binder-7", "Thistle-binder-7"),
    ("mail.password = Sunday Roast\n", "Sunday Roast"),
    ("username: ops@example.com\npassword: abcd efgh ijkl mnop\n", "abcd efgh ijkl mnop"),
    (
        "SECRET_KEY = 'r9$kq(2m!x^z7@w&u1)e=h#n4%t6_p*c+b8-v0j3'",
        "r9$kq(2m!x^z7@w&u1)e=h#n4%t6_p*c+b8-v0j3",
    ),
    // Arguments of calls.
    ("smtp.login('robot@example.com', 'Magpie_Nest_9')", "Magpie_Nest_9"),
    ("new NetworkCredential(\"svc\", \"Toner!2021\")", "Toner!2021"),
    ("requests.get(url, auth=('bob', 'kettle-drum'))", "kettle-drum"),
    ("smtp.PlainAuth(\"\", \"bob\", \"Drum9kit\", host)", "Drum9kit"),
    ("DriverManager.getConnection(\"jdbc:x\", \"app\", \"otter7pond\")", "otter7pond"),
    ("new mysqli('db', 'root', 'pebble9x')", "pebble9x"),
    ("oracledb.connect('hr/harvest9@db/orcl')", "harvest9"),
    ("jwt.encode(claims, 'quiet-river-signing')", "quiet-river-signing"),
    ("crypto.createHmac('sha256', 'orchard-hook-key')", "orchard-hook-key"),
    ("new Twilio('id', '3d1f08a97be25c4490ad6e7f5b8c2e61')", "3d1f08a97be25c4490ad6e7f5b8c2e61"),
    ("Pusher('99', '7be25c4490ad6e7f5b8c', '91c2d6f0e3a84b57d1aa')", "91c2d6f0e3a84b57d1aa"),
    ("headers.set('Authorization', 'Basic Ym9iOktldHRsZS1EcnVtMTE=')", "Ym9iOktldHRsZS1EcnVtMTE="),
    // Session cookies.
    (
        "Cookie: lang=de; sessionid=k3v9x0q7m2h5w8t1c4z6p9r2; theme=light",
        "k3v9x0q7m2h5w8t1c4z6p9r2",
    ),
    ("{\"cookie\":\"PHPSESSID=h7k2q9x4m1z8w5v3t6c0r2p9ab\"}", "h7k2q9x4m1z8w5v3t6c0r2p9ab"),
    ("curl -H 'Cookie: connect.sid=s%3Ak3v9x0q7m2h5w8t1c4z6p9r2'", "k3v9x0q7m2h5w8t1c4z6p9r2"),
    // Short names for keys, the key of a cipher, a code that replaces a password.
    (
        "对象存储的 SK 是 Qm7xZt2LkV9pRw4NsB8yHd3CfJ6aGu1EoT5iXq0W ，请查收",
        "Qm7xZt2LkV9pRw4NsB8yHd3CfJ6aGu1EoT5iXq0W",
    ),
    ("private static final String KEY = \"tQ7mZx2LkV9pRw4N\";", "tQ7mZx2LkV9pRw4N"),
    ("mail.auth_code = xkwqzvbnmtrdhpgj\n", "xkwqzvbnmtrdhpgj"),
    ("securityJsCode: '8f41c06be92d7a53b1e6047fd2c9a358'", "8f41c06be92d7a53b1e6047fd2c9a358"),
    // Punctuation in passwords.
    ("ConvertTo-SecureString 'Copper*Kettle8' -AsPlainText -Force", "Copper*Kettle8"),
    ("amqp://app:tR7!kw$@broker:5672/", "tR7!kw$"),
    // Commands.
    ("sqlplus hr_app/tulip77@//db:1521/X", "tulip77"),
    ("net use X: \\\\nas\\data /user:CORP\\ann Autumn2022", "Autumn2022"),
    ("echo 'root:Mandarin1' | chpasswd", "Mandarin1"),
    ("echo Mandarin1 | sudo -S apt update", "Mandarin1"),
    ("echo \"Mandarin1\" | docker login -u bob --password-stdin", "Mandarin1"),
    ("7z x -pMandarin1 a.7z", "Mandarin1"),
    // Name and value in separate fields, and fields of a form.
    ("{\"name\":\"DB_PASSWORD\",\"value\":\"barnowl77\"}", "barnowl77"),
    ("- name: DB_PASSWORD\n  value: barnowl77\n", "barnowl77"),
    ("cy.get('#password').type('barnowl77')", "barnowl77"),
    ("let password = String::from(\"barnowl77\");", "barnowl77"),
    ("password: >-\n  barnowl77\n", "barnowl77"),
    // Pairs and sentences.
    ("The login is admin / Lemon-Grove-8 for now", "Lemon-Grove-8"),
    ("ssh to the box (root:Qu1etly) and look", "Qu1etly"),
    ("creds: jenkins / Butler42!", "Butler42!"),
    ("user is ann, pw Tr0mbone!x please", "Tr0mbone!x"),
    ("初始密码统一为 Huanying@2023，请修改", "Huanying@2023"),
    ("测试环境的密码已改成 Ceshi#8866", "Ceshi#8866"),
    ("SNMP community: sw1tch-ro", "sw1tch-ro"),
    ("Private-Lines: 1\nAAAAgQDk3vVxq8mT0cLJw2yZr5\nPrivate-MAC: 00", "AAAAgQDk3vVxq8mT0cLJw2yZr5"),
];

const HARMLESS: &[&str] = &[
    "password: 'required'",
    "password: \"Passwort\"",
    "password: 'newPassword'",
    "{\"password1\": \"password1\"}",
    "password: \"Must contain eight characters\"",
    "password: t('login.form.password')",
    "password = \"login.form.password\"",
    "fields = ['username', 'password', 'firstname']",
    "{ password: 'bcrypt' }",
    "password: !vault |",
    "password = random_password.primary.result",
    "password_encryption = scram-sha-256",
    "secret: \"database-secret\"",
    "<password>${env.NEXUS_PASSWORD}</password>",
    "publicKeyToken=b03f5f7f11d50a3a",
    "sudo passwd deploy",
    "vault read -field=password secret/app/db",
    "kubectl get secret x -o jsonpath='{.data.token}' | base64 -d",
    "fix: password prompt not shown when the terminal is closed",
    "-----BEGIN PRIVATE KEY-----\n<your private key here>\n-----END PRIVATE KEY-----",
    "密码长度为 8-20 位",
    "login('user', 'password')",
    "button.connect('clicked', 'on_click', 'handler')",
    "signal.connect(\"notify\", \"changed\")",
    "jwt.verify(token, publicKey)",
    "crypto.createHmac('sha256', secret)",
    "client = Client(\"localhost\", \"8080\")",
    "ssh git@example.com:team/project2.git",
    "ssh user@host:2222",
    "account / settings",
    "chown root:wheel /etc/hosts",
    "the login page: admin/index.html",
    "sqlplus / as sysdba",
    "net use Z: /delete",
    "password = input()\n",
    "echo $PASSWORD | docker login -u bob --password-stdin",
    "If you pass ``kwargs`` the view receives them.",
    "even if an incorrect password is entered.",
    "fields = [\"email\", \"password\", \"date_of_birth\"]",
    "User.objects.filter(password__startswith=\"md5$$\")",
    "Password: enter the one you chose",
    "Cookie: theme=dark; lang=en-GB; consent=accepted-by-the-visitor",
    "Set-Cookie: session_timeout=until-the-browser-closes; Path=/",
    "token-cleaner-6d4f9c7b58-q2vtx   1/1   Running   0   4d",
    "usernamePassword(credentialsId: 'deployer', passwordVariable: 'REGISTRY_PASS')",
    "password = \"TODO\"  # read it from the keychain",
    "String KEY = \"settings.timeout\";",
    "ConvertTo-SecureString '********' -AsPlainText -Force",
    "amqp://app:$PASSWORD@broker:5672/",
];

#[test]
fn a52_secrets_recognised_by_position_are_removed() {
    let kept: Vec<_> =
        SECRETS.iter().filter(|(text, value)| redact(text).text.contains(value)).collect();
    assert!(kept.is_empty(), "{kept:#?}");
}

#[test]
fn a52_other_values_in_these_positions_are_unchanged() {
    let touched: Vec<_> = HARMLESS.iter().filter(|text| redact(text).text != **text).collect();
    assert!(touched.is_empty(), "{touched:#?}");
}
