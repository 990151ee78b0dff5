//! `adjutant index --push`, `--pull` and `--gc-store`: exchanges facts with a store that a team shares.

use std::collections::HashSet;
use std::process::ExitCode as Exit;
use std::time::Duration;

use clap::Args;
use contract::counted;
use fact_exchange::{
    Collected, Exchange, ExchangeError, FactKey, FactRecord, ObjectRefusal, Pulled, Pushed,
    StoreUrl,
};
use index::Store;
use kernel::IndexLocation;
use process::Environment;

use super::super::progress::ProgressOutput;
use super::super::team_key;
use crate::failure::Failure;
use crate::{edge, output};

/// Pulled records are imported together when they reach this size in bytes.
const IMPORT_BYTES: usize = 64 * 1024 * 1024;
/// [`STORE_VARIABLE`] causes a pull only if more file contents than this are unknown. Analysing fewer contents is
/// faster than pulling their facts.
const MIN_SETTING_PULL: usize = 32;
/// The environment variable that contains the address of the store from which `adjutant index` pulls.
const STORE_VARIABLE: &str = "ADJUTANT_INDEX_STORE";

#[derive(Args)]
pub(super) struct ExchangeArguments {
    /// Build the index, then write the facts that are missing from this store (a `file:` or `s3:` URL)
    #[arg(long, value_name = "URL", conflicts_with_all = ["watch", "check", "delete"])]
    push: Option<String>,
    /// Build the index with facts from this store (a `file:`, `s3:` or `https:` URL) instead of parsing files
    #[arg(long, value_name = "URL", conflicts_with_all = ["check", "delete"])]
    pull: Option<String>,
    /// Delete from this store the facts that no push has needed for the time set with `--older-than`
    #[arg(long, value_name = "URL", conflicts_with_all = ["push", "pull", "watch", "check", "delete"])]
    gc_store: Option<String>,
    /// The age for `--gc-store`, in days or hours, such as `30d` or `12h`
    #[arg(long, value_name = "AGE", default_value = "30d", requires = "gc_store", value_parser = age)]
    older_than: Duration,
    /// Report what `--push` would write or `--gc-store` would delete, and change nothing in the store
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// The store addresses on the command line. clap does not parse them, because its error messages would print a password
/// in an address.
pub(super) struct Stores {
    pub(super) push: Option<StoreUrl>,
    pub(super) pull: Option<StoreUrl>,
    pub(super) gc_store: Option<StoreUrl>,
}

impl ExchangeArguments {
    pub(super) fn stores(&self) -> Result<Stores, Failure> {
        if self.dry_run && self.push.is_none() && self.gc_store.is_none() {
            return Err(Failure::usage("`--dry-run` needs `--push` or `--gc-store`"));
        }
        let parse = |flag: &str, text: &Option<String>| match text.as_deref().map(StoreUrl::parse) {
            None => Ok(None),
            Some(Ok(url)) => Ok(Some(url)),
            Some(Err(error)) => Err(Failure::usage(format!("{flag}: {error}")).hint(
                "addresses are `file:///path`, `s3://bucket/prefix` and `https://host/path`",
            )),
        };
        Ok(Stores {
            push: parse("--push", &self.push)?,
            pull: parse("--pull", &self.pull)?,
            gc_store: parse("--gc-store", &self.gc_store)?,
        })
    }
}

/// Parses an age in days or hours, such as `30d`.
fn age(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not an age: use 30d or 12h");
    let (number, seconds) = match (text.strip_suffix('d'), text.strip_suffix('h')) {
        (Some(days), _) => (days, 24 * 60 * 60),
        (None, Some(hours)) => (hours, 60 * 60),
        (None, None) => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(wrong)
}

/// The result of a pull. `wanted` is the number of file contents whose facts were unknown before the pull.
pub(super) struct PullReport<'u> {
    url: &'u StoreUrl,
    pub(super) pulled: Pulled,
    pub(super) wanted: usize,
}

/// The result of a push.
pub(super) struct PushReport<'u> {
    url: &'u StoreUrl,
    pub(super) pushed: Pushed,
    pub(super) redacted: usize,
    pub(super) left_out: usize,
}

/// Reads the facts about the repository's files that are in the team's store but not yet in `store`.
pub(super) fn pull<'u>(
    url: &'u StoreUrl,
    store: &Store,
    place: &IndexLocation,
    shows_progress: bool,
) -> Result<PullReport<'u>, Failure> {
    let exchange = open(url, &place.environment, false)?;
    let wanted = store.lacking(&place.build_options(None)).map_err(Failure::tool_failed)?;
    read(&exchange, url, &wanted, store, shows_progress)
}

fn read<'u>(
    exchange: &Exchange,
    url: &'u StoreUrl,
    wanted: &[FactKey],
    store: &Store,
    shows_progress: bool,
) -> Result<PullReport<'u>, Failure> {
    let failed = |error| failure(&error, url);
    let inventory = exchange.inventory().map_err(failed)?;
    if inventory.is_empty() && shows_progress {
        let format = index::facts_format();
        output::warning(&format!("{url} has no facts of the format {format}"));
    }
    let progress = ProgressOutput::new(shows_progress, "pulling", "packs");
    let mut waiting: Vec<FactRecord> = Vec::new();
    let mut waiting_bytes = 0;
    let import = |records: &mut Vec<FactRecord>| {
        let done = if records.is_empty() { Ok(()) } else { store.import(records) };
        records.clear();
        done.map_err(|error| error.to_string())
    };
    let pulled = exchange.pull(
        &inventory,
        wanted,
        &|transfer| progress.update(transfer.done, transfer.objects, transfer.done_bytes),
        &mut |records| {
            waiting_bytes += records.iter().map(|(_, record)| record.len()).sum::<usize>();
            waiting.extend(records);
            if waiting_bytes < IMPORT_BYTES {
                return Ok(());
            }
            waiting_bytes = 0;
            import(&mut waiting)
        },
    );
    progress.end();
    let pulled = pulled.map_err(failed)?;
    import(&mut waiting).map_err(|error| failed(ExchangeError::Caller(error)))?;
    Ok(PullReport { url, pulled, wanted: wanted.len() })
}

/// Pulls from the store that [`STORE_VARIABLE`] names. Does nothing if the variable is not set, or if at most
/// [`MIN_SETTING_PULL`] file contents are unknown. Prints an error instead of returning it, because the index can be
/// built without the store.
pub(super) fn pull_by_setting(store: &Store, place: &IndexLocation, is_quiet: bool) {
    let Some(text) = place.environment.text(STORE_VARIABLE) else { return };
    let pulled = StoreUrl::parse(text).map_err(Failure::configuration).and_then(|url| {
        let wanted = store.lacking(&place.build_options(None)).unwrap_or_default();
        if wanted.len() <= MIN_SETTING_PULL {
            return Ok(None);
        }
        let exchange = open(&url, &place.environment, false)?;
        read(&exchange, &url, &wanted, store, !is_quiet).map(|report| Some(pull_text(&report)))
    });
    match pulled {
        Ok(Some(text)) if !is_quiet => output::talk(&text),
        Ok(_) => {}
        Err(failure) => {
            let message = failure.message;
            output::warning(&format!("{STORE_VARIABLE} is not used: {message}"));
        }
    }
}

pub(super) fn pull_text(report: &PullReport<'_>) -> String {
    let PullReport { url, pulled, wanted } = report;
    let mut text = format!(
        "pulled the facts of {} of {}: {}, {:.1} MB, from {url}",
        pulled.records,
        counted(*wanted, "unknown content"),
        counted(pulled.packs, "pack"),
        pulled.bytes as f64 / 1e6
    );
    if pulled.missing_packs > 0 {
        text += &format!("; {} deleted in the meantime", counted(pulled.missing_packs, "pack"));
    }
    text
}

/// Writes the facts about the repository's files that are not in the team's store yet.
pub(super) fn push<'u>(
    url: &'u StoreUrl,
    store: &Store,
    place: &IndexLocation,
    arguments: &ExchangeArguments,
    shows_progress: bool,
) -> Result<PushReport<'u>, Failure> {
    let is_dry_run = arguments.dry_run;
    let failed = |error| failure(&error, url);
    if url.is_read_only() {
        return Err(failed(ExchangeError::ReadOnly));
    }
    let key = team_key::signing_key(&place.environment)?.ok_or_else(no_signing_key)?;
    let exchange = open(url, &place.environment, !is_dry_run)?;
    let options = place.build_options(None);
    let mut contents = store.contents(&options).map_err(Failure::tool_failed)?;
    let live: Vec<FactKey> = contents.iter().map(index::TreeContent::key).collect();
    let mut inventory = exchange.inventory().map_err(failed)?;
    let lacking = exchange.lacking(&mut inventory, &live).map_err(failed)?;
    let n_lacking = lacking.len();
    let mut lacking: HashSet<FactKey> = lacking.into_iter().collect();
    contents.retain(|content| lacking.remove(&content.key()));
    let facts = store.facts();
    let mut records = store.export(&facts, &options, contents, redact);
    let pushed = if is_dry_run {
        sizes(&mut records)
    } else {
        let progress = ProgressOutput::new(shows_progress, "pushing", "contents");
        let on_transfer =
            |it: fact_exchange::Transfer| progress.update(it.done, it.objects, it.done_bytes);
        let pushed = exchange.push(
            &inventory,
            &live,
            &mut records,
            n_lacking,
            &key,
            edge::clock(),
            &on_transfer,
        );
        progress.end();
        pushed.map_err(failed)?
    };
    let (redacted, left_out) = (records.n_redacted, records.n_left_out + pushed.too_large);
    Ok(PushReport { url, pushed, redacted, left_out })
}

/// Counts the records and their bytes before compression, without writing them.
fn sizes(records: &mut dyn Iterator<Item = FactRecord>) -> Pushed {
    records.fold(Pushed::default(), |sum, (_, record)| Pushed {
        records: sum.records + 1,
        bytes: sum.bytes + record.len() as u64,
        ..sum
    })
}

pub(super) fn push_text(report: &PushReport<'_>, is_dry_run: bool) -> String {
    let PushReport { url, pushed, redacted, left_out } = report;
    let megabytes = pushed.bytes as f64 / 1e6;
    let what = counted(pushed.records, "content");
    let mut text = if is_dry_run {
        format!("would push the facts of {what}, {megabytes:.1} MB before compression, to {url}")
    } else {
        let packs = counted(pushed.packs, "pack");
        format!("pushed the facts of {what}: {packs}, {megabytes:.1} MB, to {url}")
    };
    text += "\nfacts contain the words, names, signatures and doc comments of a file, and the hash of its content; no path";
    if *redacted > 0 {
        let contents = counted(*redacted, "content");
        text += &format!("\nsecrets were removed from the facts of {contents}");
    }
    if *left_out > 0 {
        let contents = counted(*left_out, "content");
        text += &format!(
            "\n{contents} left out: not analysed completely, or containing a secret of several lines"
        );
    }
    text
}

/// Deletes the facts that no push has needed for the time set with `--older-than`.
pub(super) fn collect(arguments: &ExchangeArguments, url: &StoreUrl) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let failed = |error| failure(&error, url);
    let key = team_key::signing_key(&environment)?.ok_or_else(no_signing_key)?;
    let exchange = open(url, &environment, false)?;
    let collected = exchange.collect(arguments.older_than, edge::clock(), &key, arguments.dry_run);
    let Collected { packs, bytes, kept } = collected.map_err(failed)?;
    let verb = if arguments.dry_run { "would delete" } else { "deleted" };
    output::data(&format!(
        "{verb} {}, {:.1} MB; {} kept",
        counted(packs, "pack"),
        bytes as f64 / 1e6,
        counted(kept, "pack")
    ));
    Ok(Exit::SUCCESS)
}

fn redact(text: &str) -> Option<String> {
    let redacted = guard::redact(text);
    (!redacted.redactions.is_empty()).then(|| redacted.text.into_owned())
}

fn open(url: &StoreUrl, environment: &Environment, creates: bool) -> Result<Exchange, Failure> {
    let trusted = team_key::trusted_keys(environment)?;
    if trusted.is_empty() {
        return Err(Failure::configuration("no team key is trusted")
            .hint("run `adjutant team-key trust KEY` with the public key of the team"));
    }
    let variable = |name: &str| environment.text(name).map(str::to_owned);
    Exchange::open(url, &variable, &index::facts_format(), trusted, creates)
        .map_err(|error| failure(&error, url))
}

fn no_signing_key() -> Failure {
    Failure::configuration("the private key for signing is missing")
        .hint("run `adjutant team-key create` once per team, or set ADJUTANT_SIGNING_KEY")
}

fn failure(error: &ExchangeError, url: &StoreUrl) -> Failure {
    let message = format!("{url}: {error}");
    match error {
        ExchangeError::NoCredentials => Failure::configuration(message)
            .hint("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for a public bucket"),
        ExchangeError::ReadOnly => {
            Failure::configuration(message).hint("push to a `file:` or `s3:` address")
        }
        ExchangeError::Unusable(_) | ExchangeError::Key(_) => Failure::configuration(message),
        ExchangeError::Refused { refusal: ObjectRefusal::UntrustedKey { .. }, .. } => Failure::tool_failed(message).hint(
            "if the key is your team's, run `adjutant team-key trust KEY`; otherwise someone else has written to this store",
        ),
        ExchangeError::Refused { .. } => Failure::tool_failed(message).hint(
            "delete this object and push again; `adjutant index` builds the index without the store",
        ),
        ExchangeError::Request { .. } => Failure::tool_failed(message)
            .hint("try again later; `adjutant index` builds the index without the store"),
        ExchangeError::Unsettled => {
            Failure::tool_failed(message).hint("try again when no push is running")
        }
        ExchangeError::Caller(_) => Failure::tool_failed(message),
    }
}
