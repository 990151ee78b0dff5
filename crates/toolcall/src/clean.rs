//! Nothing leaves a tool call as the tool wrote it: secrets, injected instructions, markup with authority and
//! paths out of the repository are taken out, and each is counted.

use std::path::Path;

use contract::{Limit, Redaction, ToolError, ToolResult};
use guard::{PathRefusal, Root};
use serde_json::Value;

use crate::lifecycle::Context;
use crate::withheld::{Unquotable, Withheld};

/// A result as it may be published.
pub(crate) struct Cleaned {
    pub(crate) result: ToolResult,
    pub(crate) limits: Vec<Limit>,
}

/// The last step of every call: nothing of the result is published as it came.
pub(crate) fn clean(context: &Context, result: ToolResult) -> Cleaned {
    let mut cleaner = Cleaner::new(&result.tool, &context.root);
    let summary = cleaner.text(&result.summary);
    let data = result.data.map(|data| cleaner.findings(data));
    let error =
        result.error.map(|error| ToolError { message: cleaner.text(&error.message), ..error });
    let redactions = cleaner.redactions;
    let truncated = result.truncated || cleaner.removed_something;
    let limits = cleaner.limits;
    Cleaned { result: ToolResult { summary, data, error, redactions, truncated, ..result }, limits }
}

/// What a hook said or was told, for a record or a model.
pub(crate) fn clean_value(context: &Context, tool: &str, value: Value) -> Value {
    Cleaner::new(tool, &context.root).value(value)
}

pub(crate) fn clean_text(context: &Context, tool: &str, text: &str) -> String {
    Cleaner::new(tool, &context.root).text(text)
}

struct Cleaner<'a> {
    tool: &'a str,
    root: &'a Root,
    place: Option<String>,
    redactions: Vec<Redaction>,
    limits: Vec<Limit>,
    removed_something: bool,
}

impl<'a> Cleaner<'a> {
    fn new(tool: &'a str, root: &'a Root) -> Self {
        Self {
            tool,
            root,
            place: None,
            redactions: Vec::new(),
            limits: Vec::new(),
            removed_something: false,
        }
    }

    fn text(&mut self, text: &str) -> String {
        self.cleaned(guard::redact(text))
    }

    fn cleaned(&mut self, redacted: guard::Redacted<'_>) -> String {
        redacted.redactions.into_iter().for_each(|redaction| self.count(redaction));
        let filtered = guard::filter_injection(&redacted.text);
        if !filtered.removed.is_empty() {
            let place = self.place.clone().unwrap_or_else(|| self.tool.to_owned());
            self.limits.push(Limit::InjectionFiltered { place: Some(place) });
            self.removed_something = true;
        }
        guard::neutralise(&filtered.text).into_owned()
    }

    /// `items` are findings with paths of their own; everything else is just text.
    fn findings(&mut self, mut data: Value) -> Value {
        if let Some(items) = data.get_mut("items").and_then(Value::as_array_mut) {
            items.retain_mut(|item| self.admits(item));
            let mut unquotable = Unquotable::new(self.root);
            for item in items {
                self.place = citation(item);
                if let Some(withheld) = unquotable.withhold(item) {
                    self.limits.push(self.not_quoted(withheld));
                    self.removed_something = true;
                }
                *item = self.value(item.take());
            }
            self.place = None;
        }
        self.value(data)
    }

    fn not_quoted(&self, withheld: Withheld) -> Limit {
        let place = self.place.clone().unwrap_or_else(|| self.tool.to_owned());
        match withheld {
            Withheld::Order => Limit::InjectionFiltered { place: Some(place) },
            Withheld::Suspicion => Limit::Said(format!(
                "{}: the text of {} is not quoted, it may contain instructions to the model",
                self.tool,
                guard::neutralise(&place)
            )),
        }
    }

    fn value(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(values) => values.into_iter().map(|value| self.value(value)).collect(),
            Value::Object(map) => {
                map.into_iter().map(|(key, value)| self.field(&key, value)).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }

    /// What a value is called says whether it is a secret: `"password": "…"`.
    fn field(&mut self, key: &str, value: Value) -> (String, Value) {
        let value = if let Value::String(text) = &value {
            Value::String(self.cleaned(guard::redact_named(key, text)))
        } else {
            self.value(value)
        };
        (self.text(key), value)
    }

    /// A finding in a file that may not be quoted is not passed on at all.
    fn admits(&mut self, item: &mut Value) -> bool {
        let Some(path) = item.get("path").and_then(Value::as_str) else { return true };
        let relative =
            Path::new(path).strip_prefix(self.root.path()).unwrap_or(Path::new(path)).to_owned();
        if !guard::filter_injection(path).removed.is_empty() {
            self.limits.push(Limit::InjectionFiltered {
                place: Some(format!("the name of a file, {}", self.tool)),
            });
            self.removed_something = true;
            return false;
        }
        let why = if guard::is_sensitive(&relative) {
            Some("never quoted")
        } else if matches!(self.root.open_file(&relative), Err(PathRefusal::Escapes { .. })) {
            Some("E_REPO_ROOT: outside the repository")
        } else {
            None
        };
        if let Some(why) = why {
            let shown = guard::neutralise(path).chars().take(200).collect::<String>();
            self.limits
                .push(Limit::Said(format!("{}: finding in `{shown}` withheld, {why}", self.tool)));
            self.removed_something = true;
            return false;
        }
        if let Some(text) = relative.to_str() {
            item["path"] = text.into();
        }
        true
    }

    fn count(&mut self, redaction: Redaction) {
        match self.redactions.iter_mut().find(|known| known.kind == redaction.kind) {
            Some(known) => known.count += redaction.count,
            None => self.redactions.push(redaction),
        }
    }
}

fn citation(item: &Value) -> Option<String> {
    let path = item.get("path")?.as_str()?;
    Some(match item.get("line").and_then(Value::as_u64) {
        Some(line) => format!("{path}:{line}"),
        None => path.to_owned(),
    })
}
