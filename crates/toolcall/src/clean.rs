//! Cleans the result of a tool call before it is published: removes secrets, injected instructions, markup that looks like
//! a system message, and findings outside the repository. Reports each removal as a redaction or in a `[Limits]` message.

use std::path::Path;

use contract::{Arguments, Finding, Limit, NOT_QUOTED, Redaction, ToolData, ToolError, ToolResult};
use guard::{PathRefusal, Root};
use serde_json::{Map, Value};

use crate::lifecycle::ToolContext;
use crate::withheld::{Unquotable, Withheld};

/// The maximum length of a path quoted in a [`Limit`] message, in characters.
const MAX_PATH_CHARS: usize = 200;

/// Cleans a result. Returns the cleaned result and the [`Limit`] messages that report what was removed.
pub(crate) fn clean(context: &ToolContext, result: ToolResult) -> (ToolResult, Vec<Limit>) {
    let mut cleaner = Cleaner::new(&result.tool, &context.root);
    let summary = cleaner.text(&result.summary);
    let data = result.data.map(|data| cleaner.data(data));
    let error =
        result.error.map(|error| ToolError { message: cleaner.text(&error.message), ..error });
    let redactions = cleaner.redactions;
    let truncated = result.truncated || cleaner.has_removed;
    let limits = cleaner.limits;
    (ToolResult { summary, data, error, redactions, truncated, ..result }, limits)
}

pub(crate) fn clean_arguments(
    context: &ToolContext,
    tool: &str,
    mut arguments: Arguments,
) -> Arguments {
    Cleaner::new(tool, &context.root).fields(arguments.as_map_mut());
    arguments
}

pub(crate) fn clean_json(context: &ToolContext, tool: &str, mut value: Value) -> Value {
    Cleaner::new(tool, &context.root).json(&mut value);
    value
}

pub(crate) fn clean_text(context: &ToolContext, tool: &str, text: &str) -> String {
    Cleaner::new(tool, &context.root).text(text)
}

struct Cleaner<'a> {
    tool: &'a str,
    root: &'a Root,
    /// The citation of the finding that is being cleaned.
    citation: Option<String>,
    redactions: Vec<Redaction>,
    limits: Vec<Limit>,
    has_removed: bool,
}

impl<'a> Cleaner<'a> {
    fn new(tool: &'a str, root: &'a Root) -> Self {
        Self {
            tool,
            root,
            citation: None,
            redactions: Vec::new(),
            limits: Vec::new(),
            has_removed: false,
        }
    }

    fn text(&mut self, text: &str) -> String {
        self.redacted(guard::redact(text))
    }

    /// Cleans the value of a field. A field name such as `password` can show that the value is a secret.
    fn named(&mut self, name: &str, text: &str) -> String {
        self.redacted(guard::redact_named(name, text))
    }

    fn redacted(&mut self, redacted: guard::Redacted<'_>) -> String {
        redacted.redactions.into_iter().for_each(|redaction| self.count(redaction));
        let filtered = guard::filter_injection(&redacted.text);
        if !filtered.removed.is_empty() {
            let place = Some(self.place());
            self.remove(Limit::InjectionFiltered { place });
        }
        guard::neutralise(&filtered.text).into_owned()
    }

    fn data(&mut self, data: ToolData) -> ToolData {
        match data {
            ToolData::Other(mut value) => {
                self.json(&mut value);
                ToolData::Other(value)
            }
            ToolData::Findings { mut items, mut more } => {
                let mut unquotable = Unquotable::new(self.root);
                items.retain_mut(|finding| self.admits(finding));
                items.iter_mut().for_each(|finding| self.finding(finding, &mut unquotable));
                self.citation = None;
                self.fields(&mut more);
                ToolData::Findings { items, more }
            }
        }
    }

    fn finding(&mut self, finding: &mut Finding, unquotable: &mut Unquotable<'_>) {
        self.citation = finding.citation();
        if let Some(withheld) = unquotable.withhold(finding) {
            self.remove(self.not_quoted(withheld));
        }
        let texts = [
            ("path", &mut finding.path),
            ("snippet", &mut finding.snippet),
            ("source", &mut finding.source),
            ("summary", &mut finding.summary),
            ("symbol", &mut finding.symbol),
            ("title", &mut finding.title),
        ];
        let n_redacted =
            |redactions: &[Redaction]| redactions.iter().map(|it| it.count).sum::<u64>();
        let before = n_redacted(&self.redactions);
        let mut n_marks = 0;
        for (name, text) in texts {
            *text = text.take().map(|text| self.named(name, &text));
            n_marks += text.as_ref().map_or(0, |text| text.matches(guard::MARK).count() as u64);
        }
        // The tools replace the secrets of a file before they quote its lines.
        let n_earlier = n_marks.saturating_sub(n_redacted(&self.redactions) - before);
        if n_earlier > 0 {
            self.count(Redaction { kind: "secret".to_owned(), count: n_earlier });
        }
        self.fields(&mut finding.more);
    }

    fn not_quoted(&self, withheld: Withheld) -> Limit {
        let place = self.place();
        match withheld {
            Withheld::Instruction => Limit::InjectionFiltered { place: Some(place) },
            Withheld::Suspicion => {
                Limit::Said(format!("{}: {} {NOT_QUOTED}", self.tool, guard::neutralise(&place)))
            }
        }
    }

    fn json(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.json(value)),
            Value::Object(fields) => self.fields(fields),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn fields(&mut self, fields: &mut Map<String, Value>) {
        for (key, mut value) in std::mem::take(fields) {
            if let Value::String(text) = &mut value {
                *text = self.named(&key, text);
            } else {
                self.json(&mut value);
            }
            fields.insert(self.text(&key), value);
        }
    }

    /// Returns true if a finding may be published. Makes the finding's path relative to the repository root.
    fn admits(&mut self, finding: &mut Finding) -> bool {
        let Some(path) = &finding.path else { return true };
        let relative =
            Path::new(path).strip_prefix(self.root.path()).unwrap_or(Path::new(path)).to_owned();
        if !guard::filter_injection(path).removed.is_empty() {
            let place = Some(format!("the name of a file, {}", self.tool));
            self.remove(Limit::InjectionFiltered { place });
            return false;
        }
        let reason = if guard::is_sensitive(&relative) {
            Some("never quoted")
        } else if matches!(self.root.open_file(&relative), Err(PathRefusal::Escapes { .. })) {
            Some("E_REPO_ROOT: outside the repository")
        } else {
            None
        };
        if let Some(reason) = reason {
            let shown: String = guard::neutralise(path).chars().take(MAX_PATH_CHARS).collect();
            let text = format!("{}: finding in `{shown}` withheld, {reason}", self.tool);
            self.remove(Limit::Said(text));
            return false;
        }
        if let Some(text) = relative.to_str() {
            finding.path = Some(text.to_owned());
        }
        true
    }

    fn place(&self) -> String {
        self.citation.clone().unwrap_or_else(|| self.tool.to_owned())
    }

    fn remove(&mut self, limit: Limit) {
        self.limits.push(limit);
        self.has_removed = true;
    }

    fn count(&mut self, redaction: Redaction) {
        match self.redactions.iter_mut().find(|known| known.kind == redaction.kind) {
            Some(known) => known.count += redaction.count,
            None => self.redactions.push(redaction),
        }
    }
}
