//! Resolves the settings of a briefing and records the source of each value.

use std::collections::BTreeMap;

use contract::{Budget, EnforcementSource, Limit};
use serde::Deserialize;

use crate::asks::{Ask, Asks};
use crate::catalogue::{self, Number};
use crate::file::{CONFIG_PATH, ConfigFile};
use crate::own_tools::{self, OwnTool};
use crate::{Argument, TOOLS, Trust};

/// The source of a value. A later variant overrides an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingSource {
    Default,
    Config,
    Environment,
    Flag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    pub value: T,
    pub source: SettingSource,
}

/// Which prompts get a briefing: prompts about code (`auto`), all prompts, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    Auto,
    #[serde(alias = "true")]
    On,
    #[serde(alias = "false")]
    Off,
}

/// Whether a briefing calls tools (`run`), or only chooses them and explains the choice (`plan`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BriefingMode {
    Run,
    Plan,
}

/// How `codex-auto` continues the conversation from one prompt to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionMode {
    ResumeLast,
    Exec,
}

impl SessionMode {
    /// Returns the codex command for this mode, as shown in a plan.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            Self::ResumeLast => "codex exec resume --last",
            Self::Exec => "codex exec",
        }
    }
}

/// The words of a setting with their values, and the words that a message names.
pub(crate) type Words<T> = (&'static [(&'static str, T)], &'static str);

pub(crate) const SWITCHES: Words<Switch> = (
    &[
        ("auto", Switch::Auto),
        ("on", Switch::On),
        ("1", Switch::On),
        ("off", Switch::Off),
        ("0", Switch::Off),
    ],
    "auto, on or off",
);
pub(crate) const MODES: Words<BriefingMode> =
    (&[("run", BriefingMode::Run), ("plan", BriefingMode::Plan)], "run or plan");
pub(crate) const SESSION_MODES: Words<SessionMode> = (
    &[("resume_last", SessionMode::ResumeLast), ("exec", SessionMode::Exec)],
    "resume_last or exec",
);

/// Settings from the flags of a command. They take precedence over the environment and the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    pub switch: Option<Switch>,
    pub mode: Option<BriefingMode>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub switch: Sourced<Switch>,
    pub mode: Sourced<BriefingMode>,
    pub tier_max: Sourced<u8>,
    pub wall_ms: Sourced<u64>,
    pub max_concurrency: Sourced<u64>,
    pub max_injected_chars: Sourced<u64>,
    pub session_mode: Sourced<SessionMode>,
    pub enforcement: EnforcementSource,
    /// Argument values that replace the defaults, by tool and key. They have not been clamped yet.
    pub arguments: BTreeMap<(&'static str, &'static str), u64>,
    /// Tools that the configuration disables.
    pub disabled: Vec<&'static str>,
    /// Timeouts that replace the defaults, by tool.
    pub timeouts: BTreeMap<&'static str, u64>,
    /// Programs that a trusted configuration runs instead of built-in tools.
    pub runners: BTreeMap<&'static str, Vec<String>>,
    /// Tools that a trusted configuration defines.
    pub own_tools: Vec<OwnTool>,
    /// Configuration values that exceed the defaults, both granted and refused.
    pub asks: Vec<Ask>,
    /// Messages about values that were refused or could not be parsed.
    pub limits: Vec<Limit>,
}

/// The maximum number of unknown keys that are reported one by one. Further keys are only counted.
const MAX_UNKNOWN: usize = 8;

impl Settings {
    /// Combines the environment (`lookup`), the repository's configuration `file` and the defaults. `trust` is the
    /// user's trust in `file`.
    pub fn resolve(
        lookup: &dyn Fn(&str) -> Option<String>,
        file: &ConfigFile,
        trust: Trust,
    ) -> Self {
        Self::resolve_with(Overrides::default(), lookup, file, trust)
    }

    /// Like [`Self::resolve`], but `overrides` take precedence.
    pub fn resolve_with(
        overrides: Overrides,
        lookup: &dyn Fn(&str) -> Option<String>,
        file: &ConfigFile,
        trust: Trust,
    ) -> Self {
        let mut layers = Layers { lookup, limits: Vec::new(), asks: Asks::new(trust) };
        let tier_max = layers.tier_max(file);
        let extra_ms = if tier_max.value >= 2 { catalogue::TIER_2_EXTRA_MS } else { 0 };
        let legacy = layers.flag(catalogue::LEGACY);
        if legacy {
            layers.limits.push(Limit::LegacyPolicy);
        }
        let mode = match (overrides.mode, layers.flag(catalogue::DRY_RUN)) {
            (Some(value), _) => Sourced { value, source: SettingSource::Flag },
            (None, true) => {
                Sourced { value: BriefingMode::Plan, source: SettingSource::Environment }
            }
            (None, false) => layers.word(catalogue::MODE, MODES, file.mode, BriefingMode::Run),
        };
        let switch = match overrides.switch {
            Some(value) => Sourced { value, source: SettingSource::Flag },
            None => layers.switch(file.auto_tools),
        };
        let mut settings = Self {
            switch,
            mode,
            tier_max,
            wall_ms: layers.bounded(catalogue::WALL_MS, extra_ms, file.budget.wall_ms),
            max_concurrency: layers.bounded(catalogue::CONCURRENCY, 0, file.budget.max_concurrency),
            max_injected_chars: layers.bounded(
                catalogue::INJECTED_CHARS,
                0,
                file.budget.max_injected_chars,
            ),
            session_mode: layers.word(
                catalogue::SESSION_MODE,
                SESSION_MODES,
                None,
                SessionMode::ResumeLast,
            ),
            enforcement: if legacy {
                EnforcementSource::Legacy
            } else {
                EnforcementSource::Orchestrator
            },
            arguments: BTreeMap::new(),
            disabled: Vec::new(),
            timeouts: BTreeMap::new(),
            runners: BTreeMap::new(),
            own_tools: own_tools::defined_in(file, &mut layers.asks),
            asks: Vec::new(),
            limits: Vec::new(),
        };
        settings.apply_tool_sections(&mut layers, file);
        let (asks, refused) = layers.asks.finish();
        layers.limits.extend(refused);
        report_unknown_keys(&mut layers.limits, file);
        settings.limits = layers.limits;
        settings.asks = asks;
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
        for tool in &TOOLS {
            let section = file.tools.get(tool.name);
            if section.is_some_and(|section| section.enabled == Some(false)) {
                self.disabled.push(tool.name);
            }
            if let Some(wanted) = section.and_then(|section| section.timeout_ms) {
                let key = format!("tools.{}.timeout_ms", tool.name);
                let range = Range { default: tool.timeout_ms, max: catalogue::MAX_MS };
                self.timeouts.insert(tool.name, layers.asks.number(&key, wanted, range));
            }
            if let Some(command) = section.and_then(|section| section.command.as_ref()) {
                let key = format!("tools.{}.command", tool.name);
                if layers.asks.program(&key, &command.0) {
                    self.runners.insert(tool.name, command.0.clone());
                }
            }
            for argument in tool.arguments {
                let Argument::Number { key, .. } = *argument else { continue };
                let configured = section.and_then(|section| section.args.get(key).copied());
                let from_environment = layers.number(&catalogue::argument_variable(tool.name, key));
                if let Some(value) = from_environment.or(configured) {
                    self.arguments.insert((tool.name, key), value);
                }
            }
        }
    }
}

/// The bounds of a numeric setting. Without trust, a configuration may set at most `default`, and with trust at most
/// `max`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) default: u64,
    pub(crate) max: u64,
}

struct Layers<'a> {
    lookup: &'a dyn Fn(&str) -> Option<String>,
    limits: Vec<Limit>,
    asks: Asks,
}

impl Layers<'_> {
    fn word<T: Copy>(
        &mut self,
        variable: &str,
        (words, expected): Words<T>,
        configured: Option<T>,
        default: T,
    ) -> Sourced<T> {
        if let Some(text) = (self.lookup)(variable) {
            if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
                return Sourced { value: *value, source: SettingSource::Environment };
            }
            self.not_understood(variable, &text, expected);
        }
        configured_or(configured, default)
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

    /// Resolves the highest tier of tools that may run. Only the environment can enable tier 2.
    fn tier_max(&mut self, file: &ConfigFile) -> Sourced<u8> {
        let from_environment =
            (self.lookup)(catalogue::TIER_MAX).and_then(|text| match text.trim() {
                "0" => Some(0),
                "1" => Some(1),
                "2" => Some(2),
                _ => {
                    self.not_understood(catalogue::TIER_MAX, &text, "0, 1 or 2");
                    None
                }
            });
        let wants_more = file.tier_max.is_some_and(|tier| tier >= 2)
            || file.unknown_keys.iter().any(|key| key.contains("tier"));
        if wants_more && from_environment != Some(2) {
            self.limits.push(Limit::Tier2ConfigIgnored);
        }
        match from_environment {
            Some(value) => Sourced { value, source: SettingSource::Environment },
            None => configured_or(
                file.tier_max.filter(|tier| *tier < 2).map(|tier| u8::from(tier > 0)),
                1,
            ),
        }
    }

    /// Resolves the briefing switch. In the configuration file, `on` needs trust, because it adds briefings to prompts
    /// that `auto` skips.
    fn switch(&mut self, configured: Option<Switch>) -> Sourced<Switch> {
        let chosen = self.word(catalogue::SWITCH, SWITCHES, configured, Switch::Auto);
        let widens = chosen == Sourced { value: Switch::On, source: SettingSource::Config };
        if widens && !self.asks.grant("auto_tools", "asks to brief every prompt") {
            return Sourced { value: Switch::Auto, source: SettingSource::Default };
        }
        chosen
    }

    fn bounded(&mut self, number: Number, extra: u64, configured: Option<u64>) -> Sourced<u64> {
        if let Some(value) = self.number(number.variable) {
            return Sourced { value, source: SettingSource::Environment };
        }
        let (key, max) = (number.key, number.range.max);
        let range = Range { default: number.range.default + extra, max };
        match configured {
            None => Sourced { value: range.default, source: SettingSource::Default },
            Some(0) => {
                self.asks.refuse(key, "must be above 0");
                Sourced { value: range.default, source: SettingSource::Default }
            }
            Some(wanted) => Sourced {
                value: self.asks.number(key, wanted, range),
                source: SettingSource::Config,
            },
        }
    }
}

fn report_unknown_keys(limits: &mut Vec<Limit>, file: &ConfigFile) {
    let unknown = file.unknown_keys.iter().take(MAX_UNKNOWN);
    limits.extend(unknown.map(|key| {
        let key: String = key.chars().take(80).collect();
        Limit::Said(format!("{CONFIG_PATH}: unknown key `{key}` has no effect"))
    }));
    let n_more = file.unknown_keys.len().saturating_sub(MAX_UNKNOWN);
    if n_more > 0 {
        limits.push(Limit::Said(format!(
            "{CONFIG_PATH}: {}",
            contract::counted(n_more, "more unknown key")
        )));
    }
}

fn configured_or<T>(configured: Option<T>, default: T) -> Sourced<T> {
    match configured {
        Some(value) => Sourced { value, source: SettingSource::Config },
        None => Sourced { value: default, source: SettingSource::Default },
    }
}

#[cfg(test)]
mod tests;
