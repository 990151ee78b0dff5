//! The checks that are run on a client. Each check starts the client once, in a separate private home folder.

use std::io;
use std::path::PathBuf;

use crate::home::{CheckedClient, Home};

/// The first words of every briefing.
pub const BRIEFING_HEADING: &str = "Auto Tools Results";
/// The signature of the function that the test repository contains. The prompt does not contain it.
const SIGNATURE: &str = "pub fn join_names_zebra(names: Vec<String>) -> Option<Vec<String>>";
/// The environment variable that selects a program to use instead of the kernel.
const OTHER_KERNEL_VARIABLE: &str = "CI_AUTO_TOOLS_ORCHESTRATOR_PATH";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientCheck {
    /// Checks that the text for the model in the first request contains the signature of the test repository's
    /// function.
    Evidence,
    /// Checks that the prompt is answered without a briefing if the kernel fails.
    BrokenKernel,
    /// Checks that the first request contains only one briefing, even if the hook is installed several times: in the
    /// user's settings, in the repository's settings and in the plugin, if the client supports them.
    Once,
}

impl ClientCheck {
    pub const ALL: [Self; 3] = [Self::Evidence, Self::BrokenKernel, Self::Once];

    /// Returns the name that is used in tables and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Evidence => "evidence",
            Self::BrokenKernel => "broken-kernel",
            Self::Once => "once",
        }
    }
}

/// Runs a check. Returns the problem that it found, if there is one. Fails if the private home folder cannot be created.
pub fn run(check: ClientCheck, subject: &CheckedClient) -> io::Result<Option<String>> {
    let home = Home::new(subject)?;
    let result = match check {
        ClientCheck::Evidence => check_evidence(&home),
        ClientCheck::BrokenKernel => check_broken_kernel(&home, home.broken_kernel()?),
        ClientCheck::Once => check_once(&home),
    };
    Ok(result.err())
}

fn check_evidence(home: &Home<'_>) -> Result<(), String> {
    home.prepare(&["user"])?;
    let text = home.prompt(home.environment())?.model_text();
    if n_briefings(&text) == 0 {
        return Err("the first request contains no briefing".to_owned());
    }
    if !text.contains(SIGNATURE) && !clients::unescaped(&text).contains(SIGNATURE) {
        return Err(format!("the briefing does not contain `{SIGNATURE}`"));
    }
    Ok(())
}

fn check_broken_kernel(home: &Home<'_>, kernel: PathBuf) -> Result<(), String> {
    home.prepare(&["user"])?;
    let environment = home.environment().with(OTHER_KERNEL_VARIABLE, kernel);
    match n_briefings(&home.prompt(environment)?.model_text()) {
        0 => Ok(()),
        _ => Err("a briefing arrived although the kernel failed".to_owned()),
    }
}

fn check_once(home: &Home<'_>) -> Result<(), String> {
    let scopes = if home.has_project_settings() { &["user", "project"][..] } else { &["user"] };
    home.prepare(scopes)?;
    home.install_plugin()?;
    let text = home.prompt(home.environment())?.model_text();
    match n_briefings(&text) {
        1 => Ok(()),
        n => Err(format!("the first request contains {n} briefings")),
    }
}

fn n_briefings(text: &str) -> usize {
    text.matches(BRIEFING_HEADING).count()
}
