//! Parses a hook file: a list of rules, or an object that contains the list under the name of the hook type.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{HookAction, HookDialect, HookKind, Matcher, Run};

/// The owner of a hook file or of a tool's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// It belongs to the user and applies to all repositories.
    Global,
    /// It belongs to the repository, and runs only if the user trusts its exact content. Its programs are never taken from
    /// a folder of the repository that is on `PATH`.
    Project,
}

impl Scope {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Project => "project",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "WrittenRule")]
pub struct Rule {
    pub matcher: Matcher,
    pub description: String,
    pub actions: Vec<HookAction>,
}

#[derive(Deserialize)]
struct WrittenRule {
    matcher: Option<String>,
    description: Option<String>,
    hooks: Vec<HookAction>,
}

impl From<WrittenRule> for Rule {
    fn from(written: WrittenRule) -> Self {
        Self {
            matcher: Matcher::new(&written.matcher.unwrap_or_default()),
            description: written.description.unwrap_or_default(),
            actions: written.hooks,
        }
    }
}

/// The parsed content of a hook file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookFile {
    pub dialect: HookDialect,
    pub rules: Vec<Rule>,
}

impl HookFile {
    pub fn parse(kind: HookKind, text: &str) -> Result<Self, serde_json::Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let file = Shape { kind }.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(file)
    }
}

struct Shape {
    kind: HookKind,
}

impl<'de> DeserializeSeed<'de> for Shape {
    type Value = HookFile;
    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<HookFile, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Shape {
    type Value = HookFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of rules, or an object with the list under `{}`", self.kind.word())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<HookFile, A::Error> {
        let mut file = HookFile::default();
        while let Some(rule) = list.next_element::<Rule>()? {
            self.check(&rule).map_err(A::Error::custom)?;
            file.rules.push(rule);
        }
        Ok(file)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<HookFile, A::Error> {
        let mut file = HookFile::default();
        let (mut has_rules, mut is_empty) = (false, true);
        while let Some(key) = object.next_key::<String>()? {
            is_empty = false;
            if key == self.kind.word() {
                has_rules = true;
                file.rules = object.next_value()?;
                for rule in &file.rules {
                    self.check(rule).map_err(A::Error::custom)?;
                }
            } else if key == "dialect" {
                file.dialect = object.next_value()?;
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        if has_rules || is_empty {
            Ok(file)
        } else {
            Err(A::Error::custom(format!("`{}` is missing", self.kind.word())))
        }
    }
}

impl Shape {
    /// Rejects an enabled action that cannot run. If such an action were ignored, the user would wrongly assume that
    /// calls are checked.
    fn check(&self, rule: &Rule) -> Result<(), String> {
        let cannot_run = |action: &HookAction| action.enabled && matches!(action.run, Run::Text(_));
        if self.kind.runs_here() && rule.actions.iter().any(cannot_run) {
            return Err(format!("only commands can run in `{}`", self.kind.word()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
