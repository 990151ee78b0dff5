//! Describes how to run one prompt in a client without a terminal, against a model on the loopback interface.

use std::path::PathBuf;

/// The settings, the environment and the arguments for running one prompt in a private home folder. Neither an account
/// nor a network is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headless {
    /// The files to create, with paths relative to the home folder.
    pub files: Vec<(PathBuf, String)>,
    /// The environment variables to set, in addition to `HOME`. The caller must not set the variable that
    /// [`crate::Names::home_variable`] names.
    pub environment: Vec<(&'static str, String)>,
    /// The arguments before the prompt.
    pub arguments: Vec<&'static str>,
    /// The API through which the client calls the model.
    pub api: ModelApi,
    /// The arguments of the commands that install the plugin from the marketplace in the working directory. Empty if
    /// there is no plugin for the client, or if the client runs the plugin's hook only after the user has confirmed it.
    pub plugin: &'static [&'static [&'static str]],
}

/// A model API. Its server is at `http://127.0.0.1:PORT`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelApi {
    /// `POST /v1/messages`
    #[default]
    AnthropicMessages,
    /// `POST /v1/responses`
    OpenAiResponses,
    /// `POST /v1/chat/completions`
    OpenAiChat,
    /// `POST /v1beta/models/MODEL:streamGenerateContent`
    Gemini,
}

impl Headless {
    pub(crate) fn new(api: ModelApi, arguments: &[&'static str]) -> Self {
        Self { api, arguments: arguments.to_vec(), ..Self::default() }
    }

    pub(crate) fn file(mut self, path: &str, text: impl Into<String>) -> Self {
        self.files.push((PathBuf::from(path), text.into()));
        self
    }

    pub(crate) fn plugin(mut self, commands: &'static [&'static [&'static str]]) -> Self {
        self.plugin = commands;
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }
}
