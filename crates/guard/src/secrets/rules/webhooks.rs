//! Addresses whose last part is the secret.

use super::{Rule, rule};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    rule("airtable-webhook", "hooks.airtable.com/workflows/v1/genericWebhook/", "{t30-}", "g8VTSo5cZkKvugVMdgzNTWpmRIs46W"),
    rule("bark-webhook", "api.day.app/", "{a22}", "5AASxp0QnE4leKsAEtnQxB"),
    rule("dingtalk-webhook", "oapi.dingtalk.com/robot/send?access_token=", "{x64}", "110c328d2e66786361020b424f06908502a3896a52378870c2fcc7e973cd5dde"),
    rule("discord-webhook", "discord.com/api/webhooks/", "{d17-20}/{b60-}", "29178541871964222/zGPIyVAsyd0KIcOE-ZFefefRk7P7pP8WnTt9nhZW4e5-jvq6K6yT0-0EtaK-"),
    rule("discord-webhook", "discordapp.com/api/webhooks/", "{d17-20}/{b60-}", "63964251765545780/JHPyw8lhiadO8CFw9WzSVPZ33F0-WrqV8gK4ZMkN_5SKahcG81VVFJqSkY-w"),
    rule("feishu-webhook", "open.feishu.cn/open-apis/bot/v2/hook/", "{x8}-{x4}-{x4}-{x4}-{x12}", "a5799838-01db-2c30-8935-8ed7fc1bb294"),
    rule("hubspot-webhook", "api.hubapi.com/webhooks/v1/", "{h10-}", "VoWlseqbAC"),
    rule("ifttt-webhook", "/with/key/", "{b20-}", "4hyXQKNxCXTTI32PqLhs"),
    rule("lark-webhook", "open.larksuite.com/open-apis/bot/v2/hook/", "{x8}-{x4}-{x4}-{x4}-{x12}", "a4d1ce47-63b2-3165-0916-815622448eef"),
    rule("make-webhook", "hook.eu1.make.com/", "{a20-}", "TYw6SVkie4LTCp8OBc7V"),
    rule("make-webhook", "hook.eu2.make.com/", "{a20-}", "Q39x8fCL5daTR9wtGW2k"),
    rule("make-webhook", "hook.integromat.com/", "{a20-}", "qvM80K9ReOnZeGjiXegP"),
    rule("make-webhook", "hook.us1.make.com/", "{a20-}", "kMXHrf2tZ4c5S5QyYV4P"),
    rule("pushplus-webhook", ".pushplus.plus/send?token=", "{x32}", "4a83c81b04a836d16bf160863057a5f6"),
    rule("serverchan-webhook", "sc.ftqq.com/", "{a20-}", "IPpr4oB2fUxGcKpjQEPJ"),
    rule("serverchan-webhook", "sctapi.ftqq.com/", "{a20-}", "vVJpJWYdnVLgjB6Jq8de"),
    rule("slack-webhook", "hooks.slack.com/services/", "{t10-}", "JgNZnSq0Kj"),
    rule("slack-webhook", "hooks.slack.com/triggers/", "{t10-}", "T8z5-xcOzs"),
    rule("slack-webhook", "hooks.slack.com/workflows/", "{t10-}", "1z7H6G4YBX"),
    rule("teams-webhook", "outlook.office.com/webhook/", "{h40-}", "pTqKfSHAr5GQwCg5xFweMv-68a4NO3OkVt3dbjWs"),
    rule("teams-webhook", "webhook.office.com/webhookb2/", "{h60-}", "6HhPVGyfMLBJagL3APSV-EOpGSW9uQewOd7xVrNcn-42gS4DoQw6ic8GmF7S"),
    rule("wecom-webhook", "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", "{x8}-{x4}-{x4}-{x4}-{x12}", "9fa148f7-978e-d913-7e81-c8d75ae960dd"),
    rule("zapier-webhook", "hooks.zapier.com/hooks/catch/", "{d5-}/{a5-}", "35202/EeuZe"),
];
