//! The strings that make the scanner look closer, in one automaton; built once, on first use.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use super::rules::{AROUND_RULES, RULES};
use super::value::Name;

/// What an anchor announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The prefix of `RULES[first]`, and of the rules after it with the same prefix; `name` if it ends a name as well.
    Token { first: usize, name: Option<Name> },
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
    ("curl ", Anchor::Curl),
];

#[rustfmt::skip]
const MACHINE: &[&str] = &[
    "access_key", "access-key", "accesskey", "account_key", "accountkey", "api_key", "api-key", "apikey", "api key", "auth_key",
    "authkey", "authorization", "credential", "deploy_key", "deploykey", "encryption_key", "encryptionkey", "license_key",
    "licensekey", "master_key", "masterkey", "private_key", "private-key", "privatekey", "secret", "shared_key", "signing_key",
    "signingkey", "stream_key", "streamkey", "token", "密钥", "令牌",
];
const HUMAN: &[&str] = &["passcode", "passphrase", "password", "passwd", "pwd", "密码"];
const PUBLIC: &[&str] =
    &["client_id", "client-id", "clientid", "access_id", "accessid", "app_id", "appid"];
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
    automaton: AhoCorasick,
    meaning: Vec<Anchor>,
}

impl Anchors {
    pub(crate) fn find_iter<'a>(
        &'a self,
        text: &'a [u8],
    ) -> impl Iterator<Item = (Anchor, usize, usize)> + 'a {
        self.automaton
            .find_iter(text)
            .map(|found| (self.meaning[found.pattern().as_usize()], found.start(), found.end()))
    }
}

static ANCHORS: LazyLock<Option<Anchors>> = LazyLock::new(build);

/// `None` only if the automaton cannot be built, which the tests rule out for the table we ship.
pub(crate) fn anchors() -> Option<&'static Anchors> {
    ANCHORS.as_ref()
}

fn names() -> impl Iterator<Item = (&'static str, Name)> {
    let groups = [
        (MACHINE, Name::Machine),
        (HUMAN, Name::Human),
        (PUBLIC, Name::Public),
        (PROVIDERS, Name::Provider),
    ];
    groups.into_iter().flat_map(|(words, name)| words.iter().map(move |word| (*word, name)))
}

fn build() -> Option<Anchors> {
    let mut table: Vec<(&str, Anchor)> = SINGLE.to_vec();
    for (first, rule) in RULES.iter().enumerate() {
        if first == 0 || RULES[first - 1].prefix != rule.prefix {
            let lower = rule.prefix.to_ascii_lowercase();
            let name = names().find(|(word, _)| lower.contains(word)).map(|(_, name)| name);
            table.push((rule.prefix, Anchor::Token { first, name }));
        }
    }
    table.extend(
        AROUND_RULES
            .iter()
            .enumerate()
            .map(|(rule, around)| (around.anchor, Anchor::Around { rule })),
    );
    table.extend(names().map(|(word, name)| (word, Anchor::Name(name))));
    let automaton = AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(table.iter().map(|(pattern, _)| pattern))
        .ok()?;
    Some(Anchors { automaton, meaning: table.into_iter().map(|(_, anchor)| anchor).collect() })
}
