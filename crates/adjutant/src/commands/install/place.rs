//! Finds the settings that an installation changes.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clients::{Client, Locations, SettingsScope, Setup, Target};
use process::Environment;

use crate::edge;
use crate::failure::Failure;

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ScopeArgument {
    /// All repositories of the user
    User,
    /// The repository of the working directory
    Project,
}

/// The location of a client's settings, either the user's settings or those of one repository.
pub(crate) struct Place {
    pub(crate) locations: Locations,
    pub(super) receipt: PathBuf,
    /// The repository. `None` for the user's settings.
    repository: Option<PathBuf>,
}

impl Place {
    /// Returns the files that contain the prompt hook.
    pub(crate) fn files(&self, client: &dyn Client) -> Vec<PathBuf> {
        self.hook_targets(client).into_iter().map(|target| target.path).collect()
    }

    pub(super) fn hook_targets(&self, client: &dyn Client) -> Vec<Target> {
        let Locations { folder, trust, .. } = self.locations.clone();
        let programs = PathBuf::new();
        client.targets(&Setup { programs, folder, servers: None, with_tool_hooks: false, trust })
    }

    /// Returns the files to change. In a repository, paths that lead through symbolic links are refused. The skill is
    /// written to the user's settings only.
    pub(super) fn targets(
        &self,
        client: &dyn Client,
        setup: &Setup,
        with_skill: bool,
    ) -> Result<Vec<Target>, Failure> {
        let mut targets = client.targets(setup);
        if with_skill && self.repository.is_none() {
            targets.push(clients::skill_target(&setup.folder, &setup.programs));
        }
        if let Some(repository) = &self.repository {
            for target in &targets {
                clients::check_beneath(repository, &target.path)?;
            }
        }
        Ok(targets)
    }

    pub(super) fn scope(&self) -> SettingsScope {
        if self.repository.is_some() { SettingsScope::Project } else { SettingsScope::User }
    }

    pub(super) fn find(client: &dyn Client, scope: ScopeArgument) -> Result<Self, Failure> {
        match scope {
            ScopeArgument::User => Self::of_user(client, &edge::environment()),
            ScopeArgument::Project => Self::of_project(client, &edge::environment()),
        }
    }

    pub(crate) fn of_user(client: &dyn Client, environment: &Environment) -> Result<Self, Failure> {
        let home = environment.text("HOME").map(Path::new).filter(|home| home.is_absolute());
        let home = home.ok_or_else(|| {
            Failure::configuration("HOME is not set to an absolute path in UTF-8")
                .hint("set HOME, because clients keep their settings in the home folder, or use `--scope project`")
        })?;
        check_moved_home(client, environment)?;
        let locations = client.user_locations(home, environment);
        let receipt = receipt(environment, &locations.folder)?;
        Ok(Self { locations, receipt, repository: None })
    }

    fn of_project(client: &dyn Client, environment: &Environment) -> Result<Self, Failure> {
        let top = edge::working_directory().and_then(|directory| policy::find_git_top(&directory));
        let top = top.ok_or_else(|| {
            Failure::configuration("the working directory is not in a git repository")
                .hint("change to the repository, or use `--scope user`")
        })?;
        let user = Self::of_user(client, environment)?.locations;
        let locations = client.project_locations(&top, &user).ok_or_else(|| {
            let title = client.names().title;
            let text = format!("{title} has no settings for a single repository");
            Failure::usage(text).hint("use `--scope user`")
        })?;
        let receipt = receipt(environment, &locations.folder)?;
        Ok(Self { locations, receipt, repository: Some(top) })
    }
}

/// Checks the variable that sets a client's settings folder. A relative path is refused, because its meaning depends on
/// the working directory.
fn check_moved_home(client: &dyn Client, environment: &Environment) -> Result<(), Failure> {
    let variable = client.names().home_variable;
    let Some(folder) = environment.text(variable).map(Path::new) else { return Ok(()) };
    let problem = if !folder.is_absolute() {
        "is not an absolute path"
    } else if folder.exists() && !folder.is_dir() {
        "is not a folder"
    } else {
        return Ok(());
    };
    let text = format!("{variable}: `{}` {problem}", folder.display());
    Err(Failure::configuration(text)
        .hint(format!("nothing was changed; unset {variable}, or set it to a folder")))
}

/// Returns the client's default settings folder if an environment variable selects another folder, otherwise `None`.
pub(super) fn other_home(client: &dyn Client, environment: &Environment) -> Option<Place> {
    let variable = client.names().home_variable;
    environment.text(variable)?;
    let current = Place::of_user(client, environment).ok()?;
    let default = Place::of_user(client, &environment.clone().without(variable)).ok()?;
    (default.locations.folder != current.locations.folder).then_some(default)
}

/// Returns the path of the receipt, the file that records what the installation changed. Receipts are stored in the
/// user's state folder, even for a repository's settings.
fn receipt(environment: &Environment, folder: &Path) -> Result<PathBuf, Failure> {
    let state = edge::state_directory(environment).ok_or_else(|| {
        match edge::refused_folders(environment).pop() {
            Some(problem) => Failure::configuration(problem),
            None => Failure::configuration("HOME is not set"),
        }
    })?;
    let flat: String = folder
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    Ok(state.join("install").join(format!("{}.json", flat.trim_matches('-'))))
}

#[cfg(test)]
mod tests {
    use clients::CLIENTS;

    use super::*;

    #[test]
    fn a60_a_moved_home_is_used_and_a_wrong_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let home = Environment::default().with("HOME", folder.path());
        for client in CLIENTS {
            let variable = client.names().home_variable;
            let with = |value: &Path| home.clone().with(variable, value);
            for wrong in [Path::new("relative"), &folder.path().join("file")] {
                let refused = Place::of_user(client, &with(wrong)).map(drop).err();
                let message = refused.map(|failure| failure.message).unwrap_or_default();
                assert!(message.starts_with(variable), "{message}");
            }
            let moved = with(&folder.path().join("moved"));
            let default = Place::of_user(client, &home).map_err(|it| it.message).unwrap();
            let other = other_home(client, &moved).unwrap();
            assert_eq!(other.locations.folder, default.locations.folder, "{variable}");
            let place = Place::of_user(client, &moved).map_err(|it| it.message).unwrap();
            assert!(place.locations.folder.starts_with(folder.path().join("moved")), "{variable}");
            assert_ne!(place.receipt, default.receipt, "{variable}");
            assert!(other_home(client, &home).is_none(), "{variable}");
        }
    }
}
