//! The strings that make the scanner look closer, and what each of them announces.

use std::sync::LazyLock;

use super::rules::{AROUND_RULES, RULES};
use super::value::Name;
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
    /// A command whose `-u user:password` may follow.
    Curl,
    /// The first line of a key block.
    KeyBlock,
    /// The end of a URL scheme; credentials may follow.
    Url,
    /// The kind of a Kubernetes secret; its data stands around it.
    Manifest,
}

const SINGLE: &[(&str, Anchor)] = &[
    ("-----begin", Anchor::KeyBlock),
    ("://", Anchor::Url),
    ("kind: secret", Anchor::Manifest),
    ("kind: 'secret", Anchor::Manifest),
    ("kind: \"secret", Anchor::Manifest),
    ("bearer ", Anchor::Scheme),
    ("authorization: token ", Anchor::Scheme),
    ("basic ", Anchor::Basic),
    ("\"auth\":", Anchor::Basic),
    ("\"auth\\\":", Anchor::Basic),
    ("curl ", Anchor::Curl),
];

#[rustfmt::skip]
const MACHINE: &[&str] = &[
    "access_key", "access-key", "accesskey", "account_key", "accountkey", "api_key", "api-key", "apikey", "api key", "auth_key",
    "authkey", "authorization", "credential", "deploy_key", "deploykey", "encryption_key", "encryptionkey", "license_key",
    "licensekey", "master_key", "masterkey", "private_key", "private-key", "privatekey", "secret", "shared_key", "signing_key",
    "signingkey", "storage_key", "storagekey", "stream_key", "streamkey", "token", "密钥", "令牌",
];
const HUMAN: &[&str] = &["passcode", "passphrase", "password", "passwd", "pwd", "密码"];
const PUBLIC: &[&str] = &["client_id", "client-id", "clientid", "access_id", "accessid"];
#[rustfmt::skip]
const PROVIDERS: &[&str] = &[
    "adobe", "algolia", "alibaba", "asana", "atlassian", "auth0", "bitbucket", "bittrex", "codecov", "cohere", "coinbase",
    "confluence", "confluent", "contentful", "datadog", "discord", "dropbox", "etsy", "facebook", "fastly", "finnhub", "freshbooks",
    "gitter", "heroku", "intercom", "jenkins", "jira", "kraken", "kucoin", "launchdarkly", "linkedin", "looker", "mailchimp",
    "mailgun", "mattermost", "meraki", "messagebird", "mistral", "new_relic", "newrelic", "nytimes", "okta", "plaid", "postmark",
    "rapidapi", "sendbird", "sendgrid", "sentry", "snyk", "sourcegraph", "squarespace", "sumologic", "telegram", "travis", "trello",
    "twilio", "twitch", "twitter", "yandex", "zendesk",
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
        (&["key"], Name::Vague),
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
    let (patterns, meaning) =
        table.into_iter().map(|(pattern, anchor)| (pattern.to_owned(), anchor)).unzip();
    Anchors { lookout: Lookout::new(patterns, Places::Anywhere), meaning }
});
