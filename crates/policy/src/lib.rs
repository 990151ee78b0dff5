//! Resolves settings and trust, and decides the sandbox, approval policy and network access of unattended runs.
//!
//! A setting comes from the environment, otherwise from `config/auto-tools.yaml`, otherwise from a default. Each value
//! is stored with its source. A repository's configuration file can only restrict the defaults until the user trusts
//! its exact content. Each refused setting adds a line to the section `[Limits]` of the briefing. [`Orders`] decides
//! the options of an unattended run and records the reasons.

mod asks;
mod catalogue;
mod covered;
mod devbooks;
mod file;
mod orders;
mod own_tools;
mod repository_config;
mod root;
mod sandbox;
mod settings;
mod tools;
mod trust;

pub use asks::{Ask, Granted};
pub use catalogue::{
    BRIEFING_SETTINGS, DEFAULT_WALL_MS, FromFile, GIVEN_VARIABLES,
    OTHER_KERNEL as OTHER_KERNEL_VARIABLE, PLACE_SETTINGS, Setting, UNATTENDED_SETTINGS,
    is_misspelt, runner_variable,
};
pub use covered::{
    CoverError, TrustedContent, Uncovered, Verified, VerifyError, WrittenCommand, covered_content,
    is_outside, named_files, uncovered_commands,
};
pub use devbooks::misplaced_settings;
pub use file::{CONFIG_PATH, CommandLine, ConfigError, ConfigFile, ToolSection};
pub use orders::{
    ApprovalSupport, Effective, Normalised, OnNever, Orders, Reason, Refusal, Requested, Switches,
};
pub use own_tools::OwnTool;
pub use repository_config::RepositoryConfig;
pub use root::{RepositoryRoot, RootError, find_git_top, protected_around, resolve_root};
pub use sandbox::{Approval, Author, Bypass, Network, Sandbox, UnknownWord};
pub use settings::{
    BriefingMode, Overrides, SessionMode, SettingSource, Settings, Sourced, Switch,
};
pub use tools::{
    Argument, Column, Command, CommandSubject, Flag, FlagValue, Searches, SubjectKind, TOOLS, Tool,
    ToolId, clamp, tool,
};
pub use trust::{ContentHash, Trust, TrustError, TrustStore};
