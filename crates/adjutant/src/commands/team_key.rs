//! `adjutant team-key`: manages the keys that sign and verify the objects in an index store.

use std::path::PathBuf;
use std::process::ExitCode as Exit;

use clap::{Args, Subcommand};
use fact_exchange::{KeyError, PublicKey, SigningKey, TrustedKeys};
use process::Environment;
use serde_json::json;

use crate::failure::Failure;
use crate::{edge, output};

/// The environment variable that contains the private key, for a CI job.
const SIGNING_VARIABLE: &str = "ADJUTANT_SIGNING_KEY";

const AFTER_HELP: &str = concat!(
    "\
The private key signs what `adjutant index --push` writes. Each user who pulls has to trust the public key. Both are \
stored in the configuration folder (`~/.config/adjutant/team-keys`), never in a repository. A CI job gets the content of \
`signing.key` in the variable ADJUTANT_SIGNING_KEY.

More: ",
    page!("guide/team-index.md")
);

#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum Command {
    /// Create the private key and print the public key
    Create,
    /// Trust a public key: facts that it signed are accepted by `adjutant index --pull`
    Trust(Key),
    /// Stop trusting a public key
    Remove(Key),
    /// List the trusted keys
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
pub(crate) struct Key {
    /// The public key, as `adjutant team-key create` prints it; `remove` also takes its first 16 digits
    key: String,
}

pub(crate) fn run(command: &Command) -> Result<Exit, Failure> {
    let folder = folder(&edge::environment())?;
    match command {
        Command::Create => {
            let key = SigningKey::generate()?;
            let path = key.write(&folder)?;
            output::talk(&format!(
                "wrote the private key to `{}`; the public key is:",
                path.display()
            ));
            output::data(&key.public().to_string());
        }
        Command::Trust(Key { key }) => {
            let key = PublicKey::parse(key)?;
            let mut trusted = TrustedKeys::read(&folder)?;
            if trusted.add(key) {
                trusted.write(&folder)?;
                output::talk(&format!("trusted {}", key.short()));
            } else {
                output::talk(&format!("{} is already trusted", key.short()));
            }
        }
        Command::Remove(Key { key }) => {
            let mut trusted = TrustedKeys::read(&folder)?;
            if !trusted.remove(key.trim()) {
                return Err(Failure::configuration("this key is not trusted")
                    .hint("`adjutant team-key list` shows the trusted keys"));
            }
            trusted.write(&folder)?;
            output::talk("removed");
        }
        Command::List { json: is_json } => {
            let trusted = TrustedKeys::read(&folder)?;
            let own = signing_key(&edge::environment())?.map(|key| key.public());
            if *is_json {
                let keys: Vec<String> = trusted.iter().map(|key| key.to_string()).collect();
                let own = own.map(|key| key.to_string());
                output::data(&json!({ "trusted": keys, "own": own }).to_string());
            } else {
                for key in trusted.iter() {
                    output::data(&key.to_string());
                }
                if let Some(own) = own {
                    output::data(&format!("{own} (yours)"));
                }
            }
        }
    }
    Ok(Exit::SUCCESS)
}

/// Returns the private key from the environment variable or, if it is not set, from the configuration folder. Returns
/// `None` if there is no key.
pub(super) fn signing_key(environment: &Environment) -> Result<Option<SigningKey>, Failure> {
    if let Some(text) = environment.text(SIGNING_VARIABLE) {
        let key = SigningKey::parse(text)
            .map_err(|error| Failure::configuration(format!("{SIGNING_VARIABLE}: {error}")))?;
        return Ok(Some(key));
    }
    Ok(SigningKey::read(&folder(environment)?)?)
}

/// Returns the keys that the user trusts. The user's own key, if there is one, is always included.
pub(super) fn trusted_keys(environment: &Environment) -> Result<TrustedKeys, Failure> {
    let mut trusted = TrustedKeys::read(&folder(environment)?)?;
    if let Some(key) = signing_key(environment)? {
        trusted.add(key.public());
    }
    Ok(trusted)
}

fn folder(environment: &Environment) -> Result<PathBuf, Failure> {
    let folder = edge::hook_folders(environment).configuration.ok_or_else(|| {
        Failure::configuration("the configuration folder for the keys is not known")
            .hint("set HOME, XDG_CONFIG_HOME or ADJUTANT_CONFIG_DIR to an absolute path")
    })?;
    Ok(folder.join("team-keys"))
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        let failure = Self::configuration(&error);
        match error {
            KeyError::Exists(_) => failure.hint(
                "a team needs only one key; to replace the key, move or rename the existing file first",
            ),
            KeyError::NotPrivate(path) => {
                failure.hint(format!("run `chmod 600 {}`", path.display()))
            }
            KeyError::Malformed { .. } => failure
                .hint("copy the whole line that `adjutant team-key create` printed or wrote"),
            KeyError::File { .. } | KeyError::NoRandomBytes => failure,
        }
    }
}
