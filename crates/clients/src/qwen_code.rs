//! Implements [`Client`] for Qwen Code. It uses Claude Code's hook format and Gemini CLI's settings file format, and
//! escapes angle brackets in the context.

#[cfg(test)]
mod tests;

use std::path::Path;

use contract::{ClientName, ContextLimit, ToolMoment, ToolVerdict};
use process::Environment;
use serde_json::Value;

use crate::envelope::{ESCAPED_LIMIT, EventOutput, HookOutput, context_text, json_line};
use crate::settings::hooks_json::{Events, PROMPT_EVENT, settings_files, settings_target};
use crate::settings::{Locations, SettingsProblem, Setup, Target, json};
use crate::{Check, Client, Headless, ModelApi, Names, ToolSupport, health};

pub(crate) struct QwenCode;

static NAMES: Names = Names {
    published: ClientName::new("qwen-code"),
    word: "qwen",
    title: "Qwen Code",
    program: "qwen",
    package: "@qwen-code/qwen-code",
    tested: "0.24.4",
    example: "qwen -p \"where is main defined?\"",
    home_variable: "QWEN_HOME",
    // Qwen Code 0.24.4 ignores `updatedInput` and runs a call with its original arguments. It also does not replace
    // results.
    tool_support: ToolSupport { new_input: false, new_result: false, ..ToolSupport::ALL },
};

impl Client for QwenCode {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn context_limit(&self) -> ContextLimit {
        ESCAPED_LIMIT
    }

    fn tool_output(&self, moment: ToolMoment, _: Option<&Value>, verdict: &ToolVerdict) -> String {
        let mut verdict = NAMES.tool_support.restrict(NAMES.title, verdict);
        verdict.context = context_text(ESCAPED_LIMIT, &verdict.context);
        let event = match moment {
            ToolMoment::Before => EventOutput::decision(verdict.decision, &verdict.reason),
            ToolMoment::After | ToolMoment::Failed => EventOutput::default(),
        };
        json_line(&HookOutput::tool(moment, &verdict, event))
    }

    fn user_locations(&self, home: &Path, environment: &Environment) -> Locations {
        let moved = environment.text(NAMES.home_variable).map(Path::new);
        locations(&moved.map_or_else(|| home.join(".qwen"), Path::to_owned))
    }

    fn project_locations(&self, top: &Path, _user: &Locations) -> Option<Locations> {
        Some(locations(&top.join(".qwen")))
    }

    fn targets(&self, setup: &Setup) -> Vec<Target> {
        vec![settings_target(setup, &NAMES, Events::COMMON)]
    }

    /// Checks that `text` is JSON. Qwen Code accepts comments, but no trailing commas.
    fn check_loads(&self, text: &str) -> Result<(), SettingsProblem> {
        json::check_with_comments(text)
    }

    fn check_hook(&self, locations: &Locations, top: Option<&Path>) -> Check {
        let files = settings_files(locations, top.map(|top| top.join(".qwen")));
        health::hook_in_json(self, &files, PROMPT_EVENT, |settings, _| {
            let is_off = settings["disableAllHooks"] == true;
            is_off.then(|| "`disableAllHooks` is true".to_owned())
        })
    }

    fn headless(&self, url: &str) -> Headless {
        let settings = r#"{"security":{"auth":{"selectedType":"openai"}}}"#;
        Headless::new(ModelApi::OpenAiChat, &["--prompt"])
            .file(".qwen/settings.json", settings)
            .variable("OPENAI_API_KEY", "loopback")
            .variable("OPENAI_BASE_URL", format!("{url}/v1"))
            .variable("OPENAI_MODEL", "loopback")
    }
}

fn locations(folder: &Path) -> Locations {
    let servers = Some(folder.join("settings.json"));
    Locations { servers, folder: folder.to_owned(), trust: None }
}
