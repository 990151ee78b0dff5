use super::*;

#[test]
fn a60_claude_codes_settings_say_whether_the_plugin_is_on() {
    let check = |settings: &str, state| assert_eq!(claude_code_plugin(settings).unwrap(), state);
    check("", PluginState::Absent);
    check(r#"{"enabledPlugins": {"other@adjutant": true}}"#, PluginState::Absent);
    check(r#"{"enabledPlugins": {"adjutant@adjutant": true}}"#, PluginState::Active);
    check(r#"{"enabledPlugins": {"adjutant@adjutant": false}}"#, PluginState::Disabled);
    check(
        r#"{"enabledPlugins": {"adjutant@a": false, "adjutant@b": true}} // two"#,
        PluginState::Active,
    );
    claude_code_plugin("{").unwrap_err();
}

/// Key and hash as Codex's own app-server names them for this plugin.
#[test]
fn a60_codex_configuration_says_whether_the_plugin_is_on_and_trusted() {
    let check =
        |configuration: &str, state| assert_eq!(codex_plugin(configuration).unwrap(), state);
    let on = "[plugins.\"adjutant@adjutant\"]\nenabled = true\n";
    let trusted = |hash: &str| {
        let key = "adjutant@adjutant:hooks/hooks.json:user_prompt_submit:0:0";
        format!(
            "{on}\n[hooks.state.\"{key}\"]\ntrusted_hash = \"{hash}\"\ntrusted_content_hash = \"sha256:0\"\n"
        )
    };
    let hash = hash(&plugin::hooks()[0]);
    check("", PluginState::Absent);
    check(on, PluginState::Untrusted);
    check(&on.replace("true", "false"), PluginState::Disabled);
    check(&trusted(&hash), PluginState::Active);
    check(&trusted("sha256:0"), PluginState::Untrusted);
    codex_plugin("[").unwrap_err();
}
