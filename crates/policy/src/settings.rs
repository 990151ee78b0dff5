//! The settings of one run: each value with the layer that set it.

use std::collections::BTreeMap;
use std::str::FromStr;

use contract::{Budget, EnforcementSource, Limit};
use serde::Deserialize;

use crate::file::{CONFIG_PATH, ConfigFile};
use crate::{Argument, TOOLS, variables};

/// Which layer a value came from. Later layers win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Default,
    Config,
    Environment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    pub value: T,
    pub source: Source,
}

/// `auto`: code prompts only. `off`: an empty briefing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    Auto,
    #[serde(alias = "true")]
    On,
    #[serde(alias = "false")]
    Off,
}

/// `plan` decides and explains but calls nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Run,
    Plan,
}

/// How `codex-auto` goes on from one prompt to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionMode {
    ResumeLast,
    Exec,
}

impl SessionMode {
    /// The command as the plan shows it.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            Self::ResumeLast => "codex exec resume --last",
            Self::Exec => "codex exec",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub switch: Sourced<Switch>,
    pub mode: Sourced<Mode>,
    pub tier_max: Sourced<u8>,
    pub wall_ms: Sourced<u64>,
    pub max_concurrency: Sourced<u64>,
    pub max_injected_chars: Sourced<u64>,
    pub session_mode: Sourced<SessionMode>,
    pub enforcement: EnforcementSource,
    /// Argument values that replace the defaults, by tool and key. Not yet clamped.
    pub arguments: BTreeMap<(&'static str, &'static str), u64>,
    /// Tools the configuration switched off.
    pub disabled: Vec<&'static str>,
    /// Shorter time-outs than the table's.
    pub timeouts: BTreeMap<&'static str, u64>,
    /// What was refused or not understood on the way.
    pub limits: Vec<Limit>,
}

const DEFAULT_WALL_MS: u64 = 5000;
const TIER_2_EXTRA_MS: u64 = 5000;
const DEFAULT_CONCURRENCY: u64 = 3;
const DEFAULT_INJECTED_CHARS: u64 = 12_000;

impl Settings {
    /// `lookup` is the environment; `file` the repository's own wishes.
    pub fn resolve(lookup: &dyn Fn(&str) -> Option<String>, file: &ConfigFile) -> Self {
        let mut layers = Layers { lookup, limits: Vec::new() };
        let tier_max = layers.tier_max(file);
        let wall_default = DEFAULT_WALL_MS + if tier_max.value >= 2 { TIER_2_EXTRA_MS } else { 0 };
        let legacy = layers.flag(variables::LEGACY);
        if legacy {
            layers.limits.push(Limit::LegacyPolicy);
        }
        let mode = match (layers.flag(variables::DRY_RUN), file.mode) {
            (true, _) => Sourced { value: Mode::Plan, source: Source::Environment },
            (false, configured) => layers.word(variables::MODE, configured, Mode::Run),
        };
        let mut settings = Self {
            switch: layers.word(variables::SWITCH, file.auto_tools, Switch::Auto),
            mode,
            tier_max,
            wall_ms: layers.bounded(
                variables::WALL_MS,
                "budget.wall_ms",
                file.budget.wall_ms,
                wall_default,
            ),
            max_concurrency: layers.bounded(
                variables::MAX_CONCURRENCY,
                "budget.max_concurrency",
                file.budget.max_concurrency,
                DEFAULT_CONCURRENCY,
            ),
            max_injected_chars: layers.bounded(
                variables::MAX_INJECTED_CHARS,
                "budget.max_injected_chars",
                file.budget.max_injected_chars,
                DEFAULT_INJECTED_CHARS,
            ),
            session_mode: layers.word(variables::SESSION_MODE, None, SessionMode::ResumeLast),
            enforcement: if legacy {
                EnforcementSource::Legacy
            } else {
                EnforcementSource::Orchestrator
            },
            arguments: BTreeMap::new(),
            disabled: Vec::new(),
            timeouts: BTreeMap::new(),
            limits: Vec::new(),
        };
        settings.apply_tool_sections(&mut layers, file);
        layers.report_unknown_keys(file);
        settings.limits = layers.limits;
        settings
    }

    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget {
            wall_ms: self.wall_ms.value,
            max_concurrency: self.max_concurrency.value,
            max_injected_chars: self.max_injected_chars.value,
        }
    }

    fn apply_tool_sections(&mut self, layers: &mut Layers<'_>, file: &ConfigFile) {
        for (name, section) in &file.tools {
            if section.command.is_some() {
                layers.refuse(&format!("tools.{name}.command"), "starts a program");
            } else if crate::tool(name).is_none() {
                layers.refuse(&format!("tools.{name}"), "is not a tool of the allow-list");
            }
        }
        for tool in &TOOLS {
            let section = file.tools.get(tool.name);
            if section.is_some_and(|section| section.enabled == Some(false)) {
                self.disabled.push(tool.name);
            }
            if let Some(wanted) = section.and_then(|section| section.timeout_ms) {
                let key = format!("tools.{}.timeout_ms", tool.name);
                self.timeouts.insert(tool.name, layers.tightened(&key, wanted, tool.timeout_ms));
            }
            for argument in tool.arguments {
                let Argument::Number { key, .. } = *argument else { continue };
                let configured = section.and_then(|section| section.args.get(key).copied());
                let from_environment = layers.number(&variables::argument_variable(tool.name, key));
                if let Some(value) = from_environment.or(configured) {
                    self.arguments.insert((tool.name, key), value);
                }
            }
        }
    }
}

struct Layers<'a> {
    lookup: &'a dyn Fn(&str) -> Option<String>,
    limits: Vec<Limit>,
}

impl Layers<'_> {
    fn word<T: FromStr<Err = &'static str> + Copy>(
        &mut self,
        variable: &str,
        configured: Option<T>,
        default: T,
    ) -> Sourced<T> {
        if let Some(text) = (self.lookup)(variable) {
            match text.parse() {
                Ok(value) => return Sourced { value, source: Source::Environment },
                Err(expected) => self.not_understood(variable, &text, expected),
            }
        }
        below(configured, default)
    }

    fn flag(&mut self, variable: &str) -> bool {
        match (self.lookup)(variable).as_deref() {
            Some("1" | "true") => true,
            None | Some("0" | "false") => false,
            Some(other) => {
                self.not_understood(variable, other, "0 or 1");
                false
            }
        }
    }

    fn number(&mut self, variable: &str) -> Option<u64> {
        let text = (self.lookup)(variable)?;
        let number = text.trim().parse().ok().filter(|number| *number > 0);
        if number.is_none() {
            self.not_understood(variable, &text, "a whole number above 0");
        }
        number
    }

    fn not_understood(&mut self, variable: &str, text: &str, expected: &str) {
        let text: String = text.chars().take(40).collect();
        self.limits
            .push(Limit::Said(format!("{variable}=`{text}` ignored: it must be {expected}")));
    }

    /// Tier 2 is the user's alone to switch on, by the environment.
    fn tier_max(&mut self, file: &ConfigFile) -> Sourced<u8> {
        let from_environment =
            (self.lookup)(variables::TIER_MAX).and_then(|text| match text.trim() {
                "0" => Some(0),
                "1" => Some(1),
                "2" => Some(2),
                _ => {
                    self.not_understood(variables::TIER_MAX, &text, "1 or 2");
                    None
                }
            });
        let wants_more = file.tier_max.is_some_and(|tier| tier >= 2)
            || file.unknown_keys.iter().any(|key| key.contains("tier"));
        if wants_more && from_environment != Some(2) {
            self.limits.push(Limit::Tier2ConfigIgnored);
        }
        match from_environment {
            Some(value) => Sourced { value, source: Source::Environment },
            None => below(file.tier_max.filter(|tier| *tier < 2).map(|tier| u8::from(tier > 0)), 1),
        }
    }

    fn bounded(
        &mut self,
        variable: &str,
        key: &str,
        configured: Option<u64>,
        default: u64,
    ) -> Sourced<u64> {
        if let Some(value) = self.number(variable) {
            return Sourced { value, source: Source::Environment };
        }
        match configured {
            None => Sourced { value: default, source: Source::Default },
            Some(0) => {
                self.refuse(key, "must be above 0");
                Sourced { value: default, source: Source::Default }
            }
            Some(wanted) => {
                Sourced { value: self.tightened(key, wanted, default), source: Source::Config }
            }
        }
    }

    fn tightened(&mut self, key: &str, wanted: u64, most: u64) -> u64 {
        if wanted > most {
            self.refuse(key, &format!("asks for {wanted}, more than {most}"));
        }
        wanted.min(most)
    }

    fn refuse(&mut self, key: &str, why: &str) {
        self.limits.push(Limit::Said(format!(
            "{CONFIG_PATH}: `{key}` {why}; not applied, a repository's own configuration can only tighten"
        )));
    }

    fn report_unknown_keys(&mut self, file: &ConfigFile) {
        let unknown = file.unknown_keys.iter();
        self.limits.extend(
            unknown.map(|key| {
                Limit::Said(format!("{CONFIG_PATH}: unknown key `{key}` has no effect"))
            }),
        );
    }
}

fn below<T>(configured: Option<T>, default: T) -> Sourced<T> {
    match configured {
        Some(value) => Sourced { value, source: Source::Config },
        None => Sourced { value: default, source: Source::Default },
    }
}

impl FromStr for Switch {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "on" | "1" => Ok(Self::On),
            "off" | "0" => Ok(Self::Off),
            _ => Err("auto, on or off"),
        }
    }
}

impl FromStr for Mode {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "run" => Ok(Self::Run),
            "plan" => Ok(Self::Plan),
            _ => Err("run or plan"),
        }
    }
}

impl FromStr for SessionMode {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "resume_last" => Ok(Self::ResumeLast),
            "exec" => Ok(Self::Exec),
            _ => Err("resume_last or exec"),
        }
    }
}

#[cfg(test)]
mod tests;
