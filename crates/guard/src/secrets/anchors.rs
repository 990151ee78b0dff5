//! Lists the anchors, which are the strings that the scanner searches for, and the kind of each anchor.

use std::sync::LazyLock;

use super::account_lines;
use super::calls::{CALLS, Call};
use super::candidate::Name;
use super::commands::{COMMANDS, Command};
use super::dsn;
use super::encoded;
use super::json_fields;
use super::key_list;
use super::key_maps;
use super::mentions;
use super::mnemonic::{ANCHOR_WORDS, ANNOUNCEMENTS};
use super::one_time_codes;
use super::pairs;
use super::passphrases;
use super::printed;
use super::prompts;
use super::recovery_codes;
use super::rules::{INFIX_RULES, RULES};
use super::secret_keys;
use super::services::SERVICES;
use crate::prefix_search::{PrefixSearch, StartRule};

/// The kind of an anchor. It determines how the text near the anchor is checked for a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The prefix of `RULES[first]` and of the following rules with the same prefix.
    Token { first: usize },
    /// The fixed middle part of `INFIX_RULES[rule]`.
    Infix { rule: usize },
    /// The name of a secret. A value may be assigned to the name.
    Name(Name),
    /// An authorization scheme such as `Bearer`. The value follows after a space.
    Scheme,
    /// `Basic` or the key `"auth"`. The base64 form of `user:password` follows.
    Basic,
    /// A command or a statement with a password argument.
    Command(Command),
    /// The name of a function that takes credentials as arguments.
    Call(Call),
    /// The name of a header that contains cookies.
    Cookies,
    /// A word that may be followed by a user name and a password.
    Pair,
    /// A command that reads a password from a pipe.
    PipedPassword,
    /// The header before the key lines of a PuTTY file.
    PuttyLines,
    /// A word that may be followed by a recovery phrase.
    Mnemonic,
    /// A phrase that announces the number of words of a recovery phrase.
    MnemonicAnnouncement,
    /// The name of a one-time code.
    OneTimeCode,
    /// A plural name for secrets with its operator. A map or a list may follow.
    KeyMap,
    /// The base64 form of a token's prefix.
    Encoded,
    /// The last line of a private key block. The block's first line may be missing.
    KeyBlockEnd,
    /// The first line of a private key block.
    KeyBlock,
    /// The end of a URL scheme, which may be followed by credentials.
    Url,
    /// The string after `user:password` in a connection string without a scheme, such as `@tcp(`.
    DsnAddress,
    /// A function or variable that may be followed by a connection string.
    DsnOpen,
    /// The string that precedes `user/password@host` in an Oracle connection string.
    OracleUrl,
    /// A typical part of a `.pgpass` line.
    PasswordLine,
    /// A field which shows that another field of the same JSON object contains a secret.
    JsonField,
    /// The string that precedes a list of private keys.
    KeyList,
    /// The string before a key that is written as a list of bytes.
    KeyBytes,
    /// A command or function that replies to a prompt.
    Answer,
    /// A question about a password. The answer is on the next line.
    Question,
    /// The start of a question about a password. The answer is on the line after the question mark.
    OpenQuestion,
    /// A verb that follows a password.
    VerbAfter,
    /// A phrase such as `new one:`. A password may follow if the text before the phrase is about a password.
    Mention,
    /// A phrase such as `same user with`, which may be followed by a password.
    SameUser,
    /// A phrase which announces that a secret follows on one of the next lines.
    Announcement,
    /// The name of a passphrase that may consist of plain words.
    Passphrase,
    /// The name `sk`, which stands for a secret key, with its operator.
    SecretKey,
    /// A command that prints a secret on the next line.
    Printed,
    /// The heading of a list of recovery codes.
    RecoveryCodes,
    /// The string that precedes a list of accounts and passwords.
    AccountLines,
    /// The name of a cookie header in a field. The cookies are in the next field: `"name": "Cookie", "value": "…"`.
    CookieField,
    /// The start of a table of cookies in code.
    CookieTable,
    /// The `kind: Secret` line of a Kubernetes manifest. The data may be before or after this line.
    Manifest,
    /// The `"kind": "Secret"` field of a Kubernetes manifest in JSON.
    JsonManifest,
}

const SINGLE: &[(&str, Anchor)] = &[
    ("-----begin", Anchor::KeyBlock),
    ("-----end", Anchor::KeyBlockEnd),
    ("---- begin ssh2", Anchor::KeyBlock),
    ("---- end ssh2", Anchor::KeyBlockEnd),
    ("private-lines:", Anchor::PuttyLines),
    ("://", Anchor::Url),
    ("\"kind\":\"secret\"", Anchor::JsonManifest),
    ("\"kind\": \"secret\"", Anchor::JsonManifest),
    ("kind: secret", Anchor::Manifest),
    ("kind: 'secret", Anchor::Manifest),
    ("kind: \"secret", Anchor::Manifest),
    ("bearer ", Anchor::Scheme),
    ("authorization: token ", Anchor::Scheme),
    ("cookie: ", Anchor::Cookies),
    ("cookie\":\"", Anchor::Cookies),
    ("cookie\": \"", Anchor::Cookies),
    ("cookie', '", Anchor::Cookies),
    ("cookie', \"", Anchor::Cookies),
    ("-b '", Anchor::Cookies),
    ("-b \"", Anchor::Cookies),
    ("--cookie '", Anchor::Cookies),
    ("--cookie \"", Anchor::Cookies),
    ("cookies = {", Anchor::CookieTable),
    ("cookies={", Anchor::CookieTable),
    ("cookies: {", Anchor::CookieTable),
    ("cookie\", \"", Anchor::Cookies),
    ("cookie\",", Anchor::CookieField),
    ("cookie\\\",", Anchor::CookieField),
    ("cookie',", Anchor::CookieField),
    ("basic ", Anchor::Basic),
    ("\"auth\":", Anchor::Basic),
    ("\"auth\\\":", Anchor::Basic),
    ("\"auth\\\\\\\":", Anchor::Basic),
];

#[rustfmt::skip]
const TOKEN_NAMES: &[&str] = &[
    "access_key", "access-key", "accesskey", "access key", "access.key", "account_key", "account.key", "accountkey", "account key", "admin_key", "api_key", "api-key",
    "apikey", "api key", "api.key", "app_key", "app-key", "appkey", "app key", "auth_key", "auth-key", "authkey", "auth key", "authorization",
    "client_key", "clientkey", "consumer_key", "consumerkey", "consumer key", "creds", "credential", "deploy_key", "deploykey", "encryption_key",
    "encryptionkey", "encryption key", "decryptionkey", "decryption_key", "validationkey", "hmac_key", "hmackey", "integration_key", "license_key", "licensekey", "license key",
    "master_key", "masterkey", "master key", "private_key", "private-key", "privatekey", "private key", "project_key", "secret",
    "server_key", "serverkey", "service_key", "servicekey", "session_key", "sessionkey", "shared_key", "sharedkey", "shared key",
    "signing_key", "signingkey", "signing key", "ssh_key", "sshkey", "storage_key", "storagekey", "stream_key", "streamkey",
    "subscription_key", "subscription-key", "subscriptionkey", "token", "write_key", "writekey", "密钥", "秘钥", "私钥", "令牌", "凭证",
    "凭据", "授权码", "auth_code", "authcode", "securityjscode", "phpsessid", "jsessionid", "laravel_session", "connect.sid",
    "privkey", "miyao", "siyao", "lingpai", "wif:", "wif=", "master.key", "art-api", "x-honeycomb-team", "ak是", "ak 是", "ak为", "ak 为", "ak：", "sk是", "sk 是", "sk为", "sk 为", "sk：",
];
#[rustfmt::skip]
const PASSWORD_NAMES: &[&str] = &[
    "adminpass", "dbpass", "kennwort", "keypass", "mypass", "pasword", "paswd", "passcode", "passowrd", "passwrd", "passphrase", "password", "passwort", "passwd", "pass", "psswd", "pswd", "psk", "e-shared key", "eshared key", "eshared-key", "pw ", "pw:", "pw=", "mdp:", "mdp=", "mdp :", "pwd", "snmp community", "snmp_community", "snmp-community", "snmpcommunity", "community string", "rootpass", "storepass", "userpass", "_pw", "contraseña", "mot de passe",
    "预共享密钥", "团体字", "团体名", "keymaterial", "requirepass", "bindpw", "rootpw", "modpw", "adminpw", "clave", "parola d'ordine", "sshpass", "senha", "wachtwoord", "hasło", "heslo", "lösenord", "ароль", "mật khẩu", "palavra-passe", "kata sandi", "şifre", "รหัสผ่าน", "كلمة المرور", "पासवर्ड", "mima", "kouling", "authtok", "bindcredentials", "bind_credentials", "密码", "密碼", "口令", "提取码", "パスワード", "비밀번호", "암호",
];
const VAGUE_NAMES: &[&str] = &["access", "auth", "cookie", "dsn", "key", "login", "private"];
const PUBLIC_NAMES: &[&str] = &["access_id", "accessid"];
/// The abbreviation of "personal access token" with its operator. Without the operator, it would occur in many words.
const PERSONAL_TOKEN_NAMES: &[&str] = &["pat=", "pat =", "pat:", "pat\":", "pat':"];
/// Services whose keys are often written directly after the service name. Names that are common words or that share a
/// prefix with many words are omitted, because the search would stop at each of those words.
#[rustfmt::skip]
const PROVIDERS: &[&str] = &[
    "adobe", "airbrake", "airtable", "aiven", "algolia", "alibaba", "apifonica", "apify", "apilayer", "apimetrics", "apitemplate",
    "appfollow", "appointedd", "appoptics", "appsynergy", "asana", "assemblyai", "atlassian", "auth0", "autoklose", "aviationstack", "axonaut",
    "ayrshare", "azuredevops", "azureopenai", "azuresearchquery", "azurestorage", "bannerbear", "baremetrics", "beebole", "besnappy",
    "besttime", "betterstack", "bitbar", "bitbucket", "bitcoinaverage", "bitly", "bittrex", "blazemeter", "blitapp", "blocknative",
    "blynk", "bombbomb", "borgbase", "brandfetch", "browshot", "bscscan", "buddyns", "budibase", "bulbul", "caflou", "campayn",
    "capsulecrm", "carboninterface", "centralstationcrm", "circleci", "clarifai", "clickup", "cliengo", "codecov", "cohere", "coinbase",
    "coinlayer", "coinlib", "confluence", "confluent", "contentful", "conversiontools", "convertkit", "coveralls", "crowdin",
    "cryptocompare", "d7network", "dailyco", "dareboost", "datadog", "deepai", "deepgram", "detectify", "detectlanguage", "dfuse",
    "diggernaut", "digitalocean", "discord", "docparser", "documo", "doppler", "dronahq", "droneci", "dropbox", "dynalist", "dynatrace",
    "dyspatch", "eagleeyenetworks", "edenai", "etsy", "facebook", "fastforex", "fastly", "finnhub", "flatio", "fleetbase", "flexport",
    "flickr", "flightlabs", "frameio", "freshbooks", "fullstory", "fxmarket", "geckoboard", "geoapify", "geocodify", "geoipifi",
    "gitter", "glassnode", "goodday", "groovehq", "gtmetrix", "gumroad", "gyazo", "happyscribe", "heroku", "hiveage", "holiday",
    "honeycomb", "html2pdf", "hubspot", "huggingface", "hybiscus", "iconfinder", "iexapis", "iexcloud", "intercom", "interseller",
    "intrinio", "ip2location", "ipgeolocation", "ipinfo", "ipinfodb", "ipquality", "ipstack", "jenkins", "jira", "jotform", "jumpcloud",
    "jupiterone", "kickbox", "klaviyo", "klipfolio", "knapsackpro", "kontent", "kraken", "kucoin", "kylas", "launchdarkly", "lemlist",
    "lemonsqueezy", "lexigram", "linkedin", "livestorm", "loginradius", "logzio", "lokalise", "looker", "loyverse", "lunchmoney",
    "madkudu", "mailchimp", "mailgun", "mattermost", "mavenlink", "meistertask", "meraki", "messagebird", "microsoftteams", "mistral",
    "mixmax", "mockaroo", "monkeylearn", "moonclerk", "moosend", "moralis", "myintervals", "nasdaqdatalink", "new_relic", "newrelic",
    "nftport", "ngrok", "nicereply", "nightfall", "nozbeteams", "nuget", "nylas", "nytimes", "oanda", "okta", "omnisend", "oopspam",
    "opsgenie", "pandadoc", "pandascore", "paperform", "pastebin", "pdflayer", "pdfshift", "peopledatalabs", "pepipost", "pipedream",
    "pipedrive", "pixabay", "plaid", "postmark", "prodpad", "prospectcrm", "protocolsio", "proxycrawl", "pulumi", "pushbullet",
    "qubole", "rapidapi", "rebrandly", "rocketreach", "rockset", "rubygems", "salesblink", "salescookie", "salesflare", "scaleway",
    "securitytrails", "sendbird", "sendgrid", "sentry", "serphouse", "serpstack", "shipday", "shippo", "shutterstock", "signaturit",
    "signupgenius", "sigopt", "simfin", "simplesat", "simplynoted", "simvoly", "skrapp", "skrappio", "smartsheets", "snipcart", "snyk",
    "sourcegraph", "squarespace", "squareup", "sslmate", "statuspage", "stockdata", "storecove", "stormboard", "stormglass", "storyblok",
    "storychief", "stripo", "sumologic", "surveysparrow", "survicate", "swiftype", "taxjar", "teamworkcrm", "teamworkdesk",
    "teamworkspaces", "technicalanalysis", "tefter", "telegram", "tiingo", "tmetric", "todoist", "toggltrack", "travis", "trello",
    "twelvedata", "twilio", "twitch", "twitter", "tyntec", "ubidots", "uclassify", "unplugg", "unsplash", "upcdatabase", "uplead",
    "uptimero", "userstack", "vagrantcloud", "vatlayer", "vbout", "visualcrossing", "voiceflow", "voodoo", "vultr", "walkscore",
    "weatherbit", "weatherstack", "web3storage", "webflow", "webscraper", "webscraping", "weightsandbiases", "whoxy", "wistia", "wrike",
    "yandex", "zapier", "zendesk", "zenkit", "zenrows", "zenscrape", "zeplin", "zerobounce", "zerotier", "zipcode", "zipcodebase",
    "zohocrm", "zonkafeedback",
];

pub(crate) struct Anchors {
    search: PrefixSearch,
    anchors: Vec<Anchor>,
}

impl Anchors {
    /// Returns every anchor in `text` with its start and end positions, ordered by start position.
    pub(crate) fn find_iter<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = (Anchor, usize, usize)> + 'a {
        self.search.hits(text.as_bytes()).map(|hit| (self.anchors[hit.pattern], hit.start, hit.end))
    }
}

pub(crate) static ANCHORS: LazyLock<Anchors> = LazyLock::new(|| {
    let (patterns, anchors) = table().into_iter().unzip();
    Anchors { search: PrefixSearch::new(patterns, StartRule::Anywhere), anchors }
});

/// Returns all strings that the scanner searches for, each with the kind of its anchor.
pub(crate) fn table() -> Vec<(String, Anchor)> {
    let groups = [
        (TOKEN_NAMES, Name::Token),
        (PASSWORD_NAMES, Name::Password),
        (PUBLIC_NAMES, Name::Public),
        (PROVIDERS, Name::Provider),
        (SERVICES, Name::Service),
        (PERSONAL_TOKEN_NAMES, Name::Service),
        (VAGUE_NAMES, Name::Vague),
    ];
    let mut table: Vec<(&str, Anchor)> = SINGLE.to_vec();
    for (first, rule) in RULES.iter().enumerate() {
        if first == 0 || RULES[first - 1].prefix != rule.prefix {
            table.push((rule.prefix, Anchor::Token { first }));
        }
    }
    table.extend(
        INFIX_RULES
            .iter()
            .enumerate()
            .map(|(rule, rule_of_infix)| (rule_of_infix.anchor, Anchor::Infix { rule })),
    );
    for (words, name) in groups {
        table.extend(words.iter().map(|word| (*word, Anchor::Name(name))));
    }
    table.extend(COMMANDS.iter().map(|(command, argument)| (*command, Anchor::Command(*argument))));
    table.extend(CALLS.iter().map(|(callee, call)| (*callee, Anchor::Call(*call))));
    table.extend(pairs::ANCHOR_WORDS.iter().map(|word| (*word, Anchor::Pair)));
    table.extend(pairs::READERS.iter().map(|reader| (*reader, Anchor::PipedPassword)));
    let positions = [
        (dsn::ADDRESSES, Anchor::DsnAddress),
        (dsn::OPENERS, Anchor::DsnOpen),
        (dsn::ORACLE, Anchor::OracleUrl),
        (dsn::PASSWORD_LINES, Anchor::PasswordLine),
        (json_fields::MARKS, Anchor::JsonField),
        (key_list::LISTS, Anchor::KeyList),
        (key_maps::NAMES, Anchor::KeyMap),
        (ANNOUNCEMENTS, Anchor::MnemonicAnnouncement),
        (one_time_codes::NAMES, Anchor::OneTimeCode),
        (key_list::BYTES, Anchor::KeyBytes),
        (prompts::ANSWERS, Anchor::Answer),
        (mentions::QUESTIONS, Anchor::Question),
        (mentions::OPEN_QUESTIONS, Anchor::OpenQuestion),
        (mentions::VERBS_AFTER, Anchor::VerbAfter),
        (mentions::PHRASES, Anchor::Mention),
        (mentions::SAME_USER, Anchor::SameUser),
        (printed::ANNOUNCEMENTS, Anchor::Announcement),
        (passphrases::NAMES, Anchor::Passphrase),
        (secret_keys::NAMES, Anchor::SecretKey),
        (printed::COMMANDS, Anchor::Printed),
        (printed::FILES, Anchor::Printed),
        (recovery_codes::HEADINGS, Anchor::RecoveryCodes),
        (account_lines::OPENERS, Anchor::AccountLines),
    ];
    for (words, anchor) in positions {
        table.extend(words.iter().map(|word| (*word, anchor)));
    }
    table.extend(ANCHOR_WORDS.iter().map(|word| (*word, Anchor::Mnemonic)));
    let encoded = encoded::anchors();
    table.extend(encoded.iter().map(|letters| (letters.as_str(), Anchor::Encoded)));
    table.into_iter().map(|(pattern, anchor)| (pattern.to_owned(), anchor)).collect()
}
