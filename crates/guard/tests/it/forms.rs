//! Forms in which developers write credentials (A52): command lines, connection strings, lists of keys, markup,
//! prompts, pairs of plain words, Chinese quotes; and the same forms with variables, placeholders and sentences instead
//! of a secret.

use guard::redact;

const KEY: &str = "4be1c09a7fd2e38561fa97b1c2d3e0f5a6978d7766b544332a11ffee0dccbb1a";

/// Pairs of a text and the secret value that it contains.
const SECRETS: &[(&str, &str)] = &[
    // Words about passwords with a number, and values with much punctuation.
    ("password = \"AdminPassword482\"", "AdminPassword482"),
    ("client_password = \"Fo-S9Su%}<>[];#\"", "Fo-S9Su%}<>[];#"),
    ("https://user12:Password48^@192.0.2.7:3128/", "Password48^"),
    ("creds = FqyOTAJSdEgjn727oe4lsSJeRvL0rE", "FqyOTAJSdEgjn727oe4lsSJeRvL0rE"),
    // Flags: the next word, the rest of a word, a cluster, two in one command.
    ("keytool -list -keystore k.jks -storepass barleyfield", "barleyfield"),
    ("keytool -genkey -storepass barleyfield -keypass hayloft22", "hayloft22"),
    ("ldappasswd -x -w Barley_Field -s Hay_Loft uid=bob", "Hay_Loft"),
    ("curl -fsSu bob:barley-field https://ci.example.com", "barley-field"),
    ("unzip -P barleyfield a.zip", "barleyfield"),
    ("az sql server create -u adm -p 'Barley!Field'", "Barley!Field"),
    ("gpg --batch --passphrase 'over the barley' -c x", "over the barley"),
    ("cmdkey /add:host /user:bob /pass:barleyfield", "barleyfield"),
    ("[\"redis-server\", \"--requirepass\", \"barleyfield\"]", "barleyfield"),
    // Words by position.
    ("net use Z: \\\\srv\\share Barley22 /user:CORP\\bob", "Barley22"),
    ("net use \\\\srv\\share \"Barley Field\" /user:bob", "Barley Field"),
    ("net user bob Barley22 /add", "Barley22"),
    ("htpasswd -cb .htpasswd bob barleyfield", "barleyfield"),
    ("sqlplus scott/barleyfield", "barleyfield"),
    ("consul kv put app/db_password barleyfield", "barleyfield"),
    ("$pw = ConvertTo-SecureString \"Barley.Meadow.75\" -AsPlainText -Force", "Barley.Meadow.75"),
    ("ConvertTo-SecureString -AsPlainText -Force 'Barley Field'", "Barley Field"),
    ("username ann privilege 15 password 0 barleyfield", "barleyfield"),
    ("machine git.example.com login ann password barleyfield", "barleyfield"),
    ("ACL SETUSER ann on >barleyfield ~*", "barleyfield"),
    ("AUTH default Barley22", "Barley22"),
    // Settings and parameters.
    ("psql \"host=db user=app password=barleyfield dbname=x\"", "barleyfield"),
    ("mount -t cifs //nas/x /mnt -o username=ann,password=Barley.Meadow,uid=1", "Barley.Meadow"),
    ("docker run -e MYSQL_ROOT_PASSWORD=barleyfield mysql:8", "barleyfield"),
    ("ENV ADMIN_PASSWORD barleyfield", "barleyfield"),
    ("db:\n  username: app\n  password: barleyfield\n", "barleyfield"),
    ("DB_PASSWORD=${DB_PASSWORD:-barleyfield}", "barleyfield"),
    ("process.env.DB_PASSWORD || 'barleyfield'", "barleyfield"),
    ("os.getenv('DB_PASSWORD', 'barleyfield')", "barleyfield"),
    ("parser.add_argument('--password', default='barleyfield')", "barleyfield"),
    ("variable \"db_password\" {\n  type = string\n  default = \"barleyfield\"\n}", "barleyfield"),
    ("CREATE USER app WITH PASSWORD 'barleyfield';", "barleyfield"),
    ("ALTER LOGIN sa WITH PASSWORD = N'Barley.Meadow'", "Barley.Meadow"),
    ("data:\n  db-password: YmFybGV5ZmllbGQ=\n", "YmFybGV5ZmllbGQ="),
    ("{\"kind\":\"Secret\",\"data\":{\"pw\":\"YmFybGV5ZmllbGQ=\"}}", "YmFybGV5ZmllbGQ="),
    // Connection strings without a scheme.
    ("sql.Open(\"mysql\", \"app:barleyfield@tcp(db:3306)/x\")", "barleyfield"),
    ("sql.Open(\"mysql\", \"app:barleyfield@/x\")", "barleyfield"),
    ("DB_DSN=app:barley.field@(db:3306)/x", "barley.field"),
    ("jdbc:oracle:thin:app/barleyfield@db:1521:X", "barleyfield"),
    ("db.example.com:5432:orders:app:barleyfield", "barleyfield"),
    // Calls.
    ("DBI->connect($dsn, 'app', 'barleyfield')", "barleyfield"),
    ("store.load(file, \"barleyfield\".toCharArray())", "barleyfield"),
    ("bcrypt.hashSync('barleyfield', 10)", "barleyfield"),
    ("WiFi.begin(\"Home\", \"barleyfield\");", "barleyfield"),
    ("props.put(\"password\", \"barleyfield\");", "barleyfield"),
    ("req.basic_auth 'ann', 'barleyfield'", "barleyfield"),
    // Prompts and pipes.
    ("printf 'barleyfield\\nbarleyfield\\n' | passwd ann", "barleyfield"),
    // Markup.
    ("<td>Password</td><td>barleyfield</td>", "barleyfield"),
    ("<key>Password</key>\n<string>barleyfield</string>", "barleyfield"),
    ("<wsse:Password Type=\"Text\">barleyfield</wsse:Password>", "barleyfield"),
    ("<input type=\"password\" name=\"pw\" value=\"barleyfield\">", "barleyfield"),
    ("**Password:** barley22field", "barley22field"),
    // Chinese.
    ("证书的导出密码为「maitian99」,请保管", "maitian99"),
    ("数据库密码是“maitian99”", "maitian99"),
    ("口令：『maitian99』", "maitian99"),
    ("用户名admin，密码maitian99", "maitian99"),
    ("password: 麦田abc", "麦田abc"),
    ("密码改为了 maitian99", "maitian99"),
];

const HARMLESS: &[&str] = &[
    "keytool -list -keystore k.jks -storepass:env STORE_PASS",
    "the --password option is ignored",
    "mysql -u root -p orders",
    "unzip -p a.zip file.txt",
    "curl -u $USER:$TOKEN https://ci.example.com",
    "docker run -e DB_PASSWORD=$PW mysql:8",
    "docker run -e DB_PASSWORD mysql:8",
    "net use Z: \\\\srv\\share /user:CORP\\bob *",
    "net use Z: \\\\srv\\share %PASS% /user:CORP\\bob",
    "net user bob /delete",
    "sqlplus user/password@host",
    "htpasswd -cb .htpasswd \"$USER\" \"$PASS\"",
    "$pw = ConvertTo-SecureString $plain -AsPlainText -Force",
    "username and password are required",
    "enable password rotation",
    "AUTH failed for user default",
    "snmp-server community public RO",
    "connect(user=user, password=dbpassword)",
    "username: string\npassword: string\n",
    "DB_PASSWORD=${DB_PASSWORD:?must be set}",
    "process.env.DB_PASSWORD || ''",
    "parser.add_argument('--password', help='the password of the user')",
    "variable \"db_password\" {\n  type = string\n}\ndefault = \"barleyfield\"",
    "CREATE USER app WITH PASSWORD :password;",
    "dsn := \"user:password@tcp(db:3306)/x\"",
    "root:root@tcp(127.0.0.1:3306)/test",
    "hostname:5432:database:username:password",
    "DBI->connect($dsn, $user, $pass)",
    "list.load(stream, \"title\".toCharArray())",
    "bcrypt.hashSync(password, 10)",
    "map.put(\"password\", \"required\");",
    "expect \"assword:\"\nsend \"$password\\r\"",
    "expect \"login:\"\nsend \"barleyfield\\r\"",
    "<td>Password</td><td>The password of the user</td>",
    "<th>Password</th><th>Description</th>",
    "<input type=\"password\" name=\"pw\" value=\"\">",
    "**Pass:** connected; the tool lists its resources",
    "log in with client / server mode",
    "log in with Google / GitHub",
    "login: success / failure",
    "credentials: same-origin",
    "accounts: [process.env.PRIVATE_KEY]",
    "accounts: [\"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\"]",
    "密码为「必填」项",
    "密码是“敏感信息”",
    "password: 请输入密码",
    "wifi密码忘记了",
    "first pass: collect symbols",
    "mongodb+srv://<username>:<password>@cluster0.example.net/<dbname>",
    "password = keyring.get_password(\"myapp\", username)",
    "existingSecret: \"postgres-auth\"",
    "<TextField label=\"Client secret\" type=\"password\" helperText=\"Shown only once\" />",
    "API_KEY=\"$(gcloud secrets versions access latest --secret=maps-key)\"",
    "password: !vault_lookup db/main",
    "password = local.is_primary ? var.database_password : null",
    "export const NATIVE_TOKEN_ADDRESS = \"0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\";",
    "<user name=\"admin\" password=\"\" authorities=\"ROLE_USER\" />",
    "password = \"prefix_{0}\".format(name)",
    "reset your password to continue",
    "msgid \"Nieuw wachtwoord:\"\n\nmsgid \"Password:\"\n",
];

#[test]
fn a52_credentials_in_the_forms_of_their_tools_are_removed() {
    let kept: Vec<_> =
        SECRETS.iter().filter(|(text, value)| redact(text).text.contains(value)).collect();
    assert!(kept.is_empty(), "{kept:#?}");
}

#[test]
fn a52_the_same_forms_without_a_secret_are_unchanged() {
    let touched: Vec<_> = HARMLESS.iter().filter(|text| redact(text).text != **text).collect();
    assert!(touched.is_empty(), "{touched:#?}");
}

#[test]
fn a52_every_key_of_a_list_is_removed() {
    let other = KEY.replace('a', "c");
    for text in [
        format!("accounts: [\"0x{KEY}\", \"0x{other}\"]"),
        format!("Private Keys\n============\n(0) 0x{KEY}\n(1) 0x{other}\n"),
        format!("privateKeyToAccount('0x{KEY}')"),
    ] {
        let clean = redact(&text).text;
        assert!(!clean.contains(KEY) && !clean.contains(&other), "{clean}");
    }
    let numbers = (0..64).map(|n| (n * 37 % 251).to_string()).collect::<Vec<_>>().join(",");
    let text = format!("Keypair.fromSecretKey(Uint8Array.from([{numbers}]))");
    assert!(!redact(&text).text.contains("37,74"), "{}", redact(&text).text);
}
