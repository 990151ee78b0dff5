//! The strings that make the scanner look closer, and what each of them announces.

use std::sync::LazyLock;

use super::calls::{CALLS, Call};
use super::candidate::Name;
use super::commands::{COMMANDS, Command};
use super::dsn;
use super::encoded;
use super::key_list;
use super::mnemonic::ANNOUNCEMENTS;
use super::pairs;
use super::prompts;
use super::rules::{AROUND_RULES, RULES};
use crate::lookout::{Lookout, Places};

/// What an anchor announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The prefix of `RULES[first]`, and of the rules after it with the same prefix.
    Token { first: usize },
    /// The middle of `AROUND_RULES[rule]`.
    Around { rule: usize },
    /// A word that names a secret; a value may be assigned to it.
    Name(Name),
    /// `Bearer` and its relatives: the value follows after a space.
    Scheme,
    /// `Basic`: encoded user and password follow.
    Basic,
    /// A command or a statement that is given a password.
    Command(Command),
    /// A call that is given credentials.
    Call(Call),
    /// A word after which a user and a password may follow.
    Pair,
    /// A command that reads a password from a pipe.
    PipedPassword,
    /// The key lines of a PuTTY file.
    PuttyLines,
    /// A word that announces a recovery phrase.
    Mnemonic,
    /// Base64 of the prefix of a token.
    Encoded,
    /// The last line of a key block, whose first may be missing.
    KeyBlockEnd,
    /// The first line of a key block.
    KeyBlock,
    /// The end of a URL scheme; credentials may follow.
    Url,
    /// What follows `user:password` in a connection string without a scheme.
    DsnAddress,
    /// What is given a connection string.
    DsnOpen,
    /// What is before `user/password@host`.
    OracleUrl,
    /// A part of a line of a `.pgpass` file.
    PasswordLine,
    /// What a list of private keys follows.
    KeyList,
    /// What the bytes of a key follow.
    KeyBytes,
    /// What sends an answer to a prompt.
    Answer,
    /// The kind of a Kubernetes secret; its data stands around it.
    Manifest,
    /// The same in JSON.
    JsonManifest,
}

const SINGLE: &[(&str, Anchor)] = &[
    ("-----begin", Anchor::KeyBlock),
    ("-----end", Anchor::KeyBlockEnd),
    ("private-lines:", Anchor::PuttyLines),
    ("://", Anchor::Url),
    ("\"kind\":\"secret\"", Anchor::JsonManifest),
    ("\"kind\": \"secret\"", Anchor::JsonManifest),
    ("kind: secret", Anchor::Manifest),
    ("kind: 'secret", Anchor::Manifest),
    ("kind: \"secret", Anchor::Manifest),
    ("bearer ", Anchor::Scheme),
    ("authorization: token ", Anchor::Scheme),
    ("basic ", Anchor::Basic),
    ("\"auth\":", Anchor::Basic),
    ("\"auth\\\":", Anchor::Basic),
];

#[rustfmt::skip]
const MACHINE: &[&str] = &[
    "access_key", "access-key", "accesskey", "access key", "account_key", "accountkey", "account key", "admin_key", "api_key", "api-key",
    "apikey", "api key", "app_key", "app-key", "appkey", "app key", "auth_key", "auth-key", "authkey", "auth key", "authorization",
    "client_key", "clientkey", "consumer_key", "consumerkey", "consumer key", "creds", "credential", "deploy_key", "deploykey", "encryption_key",
    "encryptionkey", "encryption key", "hmac_key", "hmackey", "integration_key", "license_key", "licensekey", "license key",
    "master_key", "masterkey", "master key", "private_key", "private-key", "privatekey", "private key", "project_key", "secret",
    "server_key", "serverkey", "service_key", "servicekey", "session_key", "sessionkey", "shared_key", "sharedkey", "shared key",
    "signing_key", "signingkey", "signing key", "ssh_key", "sshkey", "storage_key", "storagekey", "stream_key", "streamkey",
    "subscription_key", "subscription-key", "subscriptionkey", "token", "write_key", "writekey", "密钥", "秘钥", "私钥", "令牌", "凭证",
    "凭据", "授权码",
];
#[rustfmt::skip]
const HUMAN: &[&str] = &[
    "adminpass", "dbpass", "kennwort", "keypass", "mypass", "pasword", "paswd", "passcode", "passowrd", "passwrd", "passphrase", "password", "passwort", "passwd", "pass", "psswd", "pswd", "psk", "pw ", "pw:", "pw=", "pwd", "snmp community", "snmp_community", "snmp-community", "snmpcommunity", "community string", "rootpass", "storepass", "userpass", "_pw", "contraseña", "mot de passe",
    "keymaterial", "requirepass", "sshpass", "senha", "wachtwoord", "hasło", "heslo", "lösenord", "пароль", "密码", "密碼", "口令", "提取码", "パスワード", "비밀번호", "암호",
];
const VAGUE: &[&str] = &["access", "auth", "cookie", "dsn", "key", "login", "private"];
const PUBLIC: &[&str] = &["client_id", "client-id", "clientid", "access_id", "accessid"];
/// Services whose keys are often written after their name alone; names that are common words, or begin like
/// many, are left out: the search stops at each of them.
#[rustfmt::skip]
const PROVIDERS: &[&str] = &[
    "adobe", "airbrake", "airtable", "aiven", "algolia", "alibaba", "apifonica", "apify", "apilayer", "apimetrics", "apitemplate",
    "appfollow", "appointedd", "appoptics", "appsynergy", "asana", "atlassian", "auth0", "autoklose", "aviationstack", "axonaut",
    "ayrshare", "azuredevops", "azureopenai", "azuresearchquery", "azurestorage", "bannerbear", "baremetrics", "beebole", "besnappy",
    "besttime", "betterstack", "bitbar", "bitbucket", "bitcoinaverage", "bitly", "bittrex", "blazemeter", "blitapp", "blocknative",
    "blynk", "bombbomb", "borgbase", "brandfetch", "browshot", "bscscan", "buddyns", "budibase", "bulbul", "caflou", "campayn",
    "capsulecrm", "carboninterface", "centralstationcrm", "circleci", "clickup", "cliengo", "codecov", "cohere", "coinbase",
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
    "sourcegraph", "squarespace", "squareup", "sslmate", "stockdata", "storecove", "stormboard", "stormglass", "storyblok",
    "storychief", "stripo", "sumologic", "surveysparrow", "survicate", "swiftype", "taxjar", "teamworkcrm", "teamworkdesk",
    "teamworkspaces", "technicalanalysis", "tefter", "telegram", "tiingo", "tmetric", "todoist", "toggltrack", "travis", "trello",
    "twelvedata", "twilio", "twitch", "twitter", "tyntec", "ubidots", "uclassify", "unplugg", "unsplash", "upcdatabase", "uplead",
    "uptimero", "userstack", "vagrantcloud", "vatlayer", "vbout", "visualcrossing", "voiceflow", "voodoo", "vultr", "walkscore",
    "weatherbit", "weatherstack", "web3storage", "webflow", "webscraper", "webscraping", "weightsandbiases", "whoxy", "wistia", "wrike",
    "yandex", "zapier", "zendesk", "zenkit", "zenrows", "zenscrape", "zeplin", "zerobounce", "zerotier", "zipcode", "zipcodebase",
    "zohocrm", "zonkafeedback",
];

pub(crate) struct Anchors {
    lookout: Lookout,
    meaning: Vec<Anchor>,
}

impl Anchors {
    /// Every anchor with its start and end, in order of starts.
    pub(crate) fn find_iter<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = (Anchor, usize, usize)> + 'a {
        self.lookout
            .hits(text.as_bytes())
            .map(|hit| (self.meaning[hit.pattern], hit.start, hit.end))
    }
}

pub(crate) static ANCHORS: LazyLock<Anchors> = LazyLock::new(|| {
    let groups = [
        (MACHINE, Name::Machine),
        (HUMAN, Name::Human),
        (PUBLIC, Name::Public),
        (PROVIDERS, Name::Provider),
        (VAGUE, Name::Vague),
    ];
    let mut table: Vec<(&str, Anchor)> = SINGLE.to_vec();
    for (first, rule) in RULES.iter().enumerate() {
        if first == 0 || RULES[first - 1].prefix != rule.prefix {
            table.push((rule.prefix, Anchor::Token { first }));
        }
    }
    table.extend(
        AROUND_RULES
            .iter()
            .enumerate()
            .map(|(rule, around)| (around.anchor, Anchor::Around { rule })),
    );
    for (words, name) in groups {
        table.extend(words.iter().map(|word| (*word, Anchor::Name(name))));
    }
    table.extend(COMMANDS.iter().map(|(command, place)| (*command, Anchor::Command(*place))));
    table.extend(CALLS.iter().map(|(callee, call)| (*callee, Anchor::Call(*call))));
    table.extend(pairs::ANNOUNCEMENTS.iter().map(|word| (*word, Anchor::Pair)));
    table.extend(pairs::READERS.iter().map(|reader| (*reader, Anchor::PipedPassword)));
    let positions = [
        (dsn::ADDRESSES, Anchor::DsnAddress),
        (dsn::OPENERS, Anchor::DsnOpen),
        (dsn::ORACLE, Anchor::OracleUrl),
        (dsn::PASSWORD_LINES, Anchor::PasswordLine),
        (key_list::LISTS, Anchor::KeyList),
        (key_list::BYTES, Anchor::KeyBytes),
        (prompts::ANSWERS, Anchor::Answer),
    ];
    for (words, anchor) in positions {
        table.extend(words.iter().map(|word| (*word, anchor)));
    }
    table.extend(ANNOUNCEMENTS.iter().map(|word| (*word, Anchor::Mnemonic)));
    let encoded = encoded::anchors();
    table.extend(encoded.iter().map(|letters| (letters.as_str(), Anchor::Encoded)));
    let (patterns, meaning) =
        table.into_iter().map(|(pattern, anchor)| (pattern.to_owned(), anchor)).unzip();
    Anchors { lookout: Lookout::new(patterns, Places::Anywhere), meaning }
});
