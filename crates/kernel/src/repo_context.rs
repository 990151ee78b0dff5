//! Finds the repository that a prompt belongs to, and reads its settings.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use contract::{Limit, RepoRootSource, Request};
use policy::{
    BriefingMode, Overrides, RepositoryConfig, RepositoryRoot, RootError, Settings, TrustStore,
};

use crate::brief::Host;
use crate::model_text::safe;

/// The reason why the repository of a prompt cannot be used. The messages contain no secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepoProblem {
    /// There is no readable root.
    Root(String),
    /// The configuration cannot be read.
    Configuration(String),
}

impl RepoProblem {
    fn of_root(error: &RootError) -> Self {
        Self::Root(safe(&error.to_string()))
    }
}

impl fmt::Display for RepoProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(message) => write!(f, "E_REPO_ROOT: {message}"),
            Self::Configuration(message) => f.write_str(message),
        }
    }
}

pub(crate) struct RepoContext {
    pub(crate) root: RepositoryRoot,
    pub(crate) settings: Settings,
    /// The repository's configuration, and whether the user trusts it.
    pub(crate) config: Arc<RepositoryConfig>,
    /// The folder for copies of trusted scripts.
    pub(crate) copies: Option<PathBuf>,
    /// The `[Limits]` messages produced while reading the configuration.
    pub(crate) limits: Vec<Limit>,
}

impl RepoContext {
    pub(crate) fn find(request: &Request, host: &Host) -> Result<Self, RepoProblem> {
        let lookup = |name: &str| host.environment.text(name).map(str::to_owned);
        let directory =
            request.cwd.as_ref().map_or_else(|| host.working_directory.clone(), PathBuf::from);
        let root = policy::resolve_root(&lookup, &directory)
            .map_err(|error| RepoProblem::of_root(&error))?;
        let store = TrustStore::in_folder(host.hooks.configuration.as_deref());
        let config = RepositoryConfig::read(&root.path, &store)
            .map_err(|error| RepoProblem::Configuration(safe(&error.to_string())))?;
        let mut limits: Vec<Limit> = policy::misplaced_settings(&root.path).into_iter().collect();
        let root = root.narrowed(&config.file).map_err(|error| RepoProblem::of_root(&error))?;
        if root.source == RepoRootSource::NoGitRoot {
            limits.push(Limit::NoGitRoot);
        }
        let overrides = overrides(request, host);
        let settings = Settings::resolve_with(overrides, &lookup, &config.file, config.trust);
        limits.extend(settings.limits.iter().cloned());
        if let Some(problem) = config.problem.as_ref().filter(|_| !settings.asks.is_empty()) {
            limits.push(Limit::Said(problem.clone()));
        }
        let copies = host.hooks.copies.clone();
        Ok(Self { root, settings, config: Arc::new(config), copies, limits })
    }
}

/// Returns the settings that a flag of the command line or of the hook sets.
pub(crate) fn overrides(request: &Request, host: &Host) -> Overrides {
    let mode = request.plan_only.then_some(BriefingMode::Plan);
    Overrides { mode: mode.or(host.overrides.mode), ..host.overrides }
}
