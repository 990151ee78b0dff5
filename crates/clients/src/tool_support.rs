//! Describes what the hooks of a client can do around a tool call.

/// What a client accepts from a hook before and after a tool call. A hook of the user that needs more gets the next stricter
/// decision: a call that cannot be changed or confirmed is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolSupport {
    /// Before the call: the client can ask the user.
    pub ask: bool,
    /// Before the call: the client can run the call with other arguments.
    pub new_input: bool,
    /// After the call: the client can give the model another result.
    pub new_result: bool,
    /// After the call: the client can give the model additional context.
    pub context: bool,
}

impl ToolSupport {
    pub(crate) const ALL: Self =
        Self { ask: true, new_input: true, new_result: true, context: true };

    /// Lists what the client does not support, as in "asking, other results". Returns `None` if it supports everything.
    #[must_use]
    pub fn missing(self) -> Option<String> {
        let parts = [
            (self.ask, "asking the user"),
            (self.new_input, "other arguments"),
            (self.new_result, "another result"),
            (self.context, "additional context"),
        ];
        let missing: Vec<&str> =
            parts.into_iter().filter(|(has, _)| !has).map(|(_, name)| name).collect();
        (!missing.is_empty()).then(|| missing.join(", "))
    }
}
