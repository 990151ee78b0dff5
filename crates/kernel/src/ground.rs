//! Where a prompt was asked, and under which rules.

use std::path::PathBuf;

use contract::{Limit, RepoRootSource, Request};
use policy::{ConfigFile, RepositoryRoot, Settings};

use crate::brief::World;

pub(crate) struct Ground {
    pub(crate) root: RepositoryRoot,
    pub(crate) settings: Settings,
    /// What was refused or found odd on the way.
    pub(crate) limits: Vec<Limit>,
}

impl Ground {
    pub(crate) fn find(request: &Request, world: &World) -> Result<Self, String> {
        let lookup = |name: &str| world.environment.text(name).map(str::to_owned);
        let directory =
            request.cwd.as_ref().map_or_else(|| world.working_directory.clone(), PathBuf::from);
        let root = policy::resolve_root(&lookup, &directory)
            .map_err(|error| format!("E_REPO_ROOT: {error}"))?;
        let file = ConfigFile::read(&root.path).map_err(|error| error.to_string())?;
        let mut limits: Vec<Limit> = policy::misplaced_settings(&root.path).into_iter().collect();
        let root = root.narrowed(&file).map_err(|error| format!("E_REPO_ROOT: {error}"))?;
        if root.source == RepoRootSource::NoGitRoot {
            limits.push(Limit::NoGitRoot);
        }
        let settings = Settings::resolve(&lookup, &file);
        limits.extend(settings.limits.iter().cloned());
        Ok(Self { root, settings, limits })
    }
}
