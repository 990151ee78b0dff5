//! Addresses whose last part is the secret.

use super::{Rule, rule};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    rule("airtable-webhook", "hooks.airtable.com/workflows/v1/genericWebhook/", "{t30-}", "Tz7Npn1PPYjYVgsoCBfSFTGExHMmqP"),
    rule("bark-webhook", "api.day.app/", "{a22}", "TMSByl7XDC7HKN30UEr0vs"),
    rule("dingtalk-webhook", "oapi.dingtalk.com/robot/send?access_token=", "{x64}", "110c328d2e66786361020b424f06908502a3896a52378870c2fcc7e973cd5dde"),
    rule("discord-webhook", "canary.discord.com/api/webhooks/", "{d17-20}/{b60-}", "46873789712937415/qfspnlnvXbaDtg4nR4H2wicq3ySuV9eSArNIPuXujSMeVzTNReglwbJoKvR0"),
    rule("discord-webhook", "discord.com/api/webhooks/", "{d17-20}/{b60-}", "29178541871964222/zGPIyVAsyd0KIcOE-ZFefefRk7P7pP8WnTt9nhZW4e5-jvq6K6yT0-0EtaK-"),
    rule("discord-webhook", "discordapp.com/api/webhooks/", "{d17-20}/{b60-}", "63964251765545780/JHPyw8lhiadO8CFw9WzSVPZ33F0-WrqV8gK4ZMkN_5SKahcG81VVFJqSkY-w"),
    rule("discord-webhook", "ptb.discord.com/api/webhooks/", "{d17-20}/{b60-}", "57910422538560597/zkL9SaxnkCWyv2kh9CNWTrOwMJbP6eIrboj6UKgHG11kRwbBpiSOf7UmrT6l"),
    rule("feishu-webhook", "open.feishu.cn/open-apis/bot/v2/hook/", "{x8}-{x4}-{x4}-{x4}-{x12}", "a5799838-01db-2c30-8935-8ed7fc1bb294"),
    rule("hubspot-webhook", "api.hubapi.com/webhooks/v1/", "{h10-}", "6j3KQKbDkB"),
    rule("ifttt-webhook", "maker.ifttt.com/trigger/", "{b1-}/with/key/{!}{b20-}", "N/with/key/z7LRIkk3r6twoGPKI8Z4"),
    rule("ifttt-webhook", "maker.ifttt.com/use/", "{b20-}", "Y9QqdaPtPK2oatI0F81d"),
    rule("lark-webhook", "open.larksuite.com/open-apis/bot/v2/hook/", "{x8}-{x4}-{x4}-{x4}-{x12}", "d0db62e9-b379-e807-3d57-3c7458f1ec22"),
    rule("make-webhook", "hook.eu1.make.com/", "{a20-}", "ErHumY83j7I0HgXYdMhv"),
    rule("make-webhook", "hook.eu2.make.com/", "{a20-}", "psOXTtGjbXrpLAXaXf1G"),
    rule("make-webhook", "hook.integromat.com/", "{a20-}", "izFw5lPVasB4RaoR7kGN"),
    rule("make-webhook", "hook.us1.make.com/", "{a20-}", "L0RDG2PVNBqNTll1IJYK"),
    rule("pagerduty-webhook", "events.pagerduty.com/integration/", "{x32}", "9ed0d871df630f9615afd73f36905d17"),
    rule("pushplus-webhook", "www.pushplus.plus/send?token=", "{x32}", "0918e373db3b78af841d26cae27c56bd"),
    rule("serverchan-webhook", "sc.ftqq.com/", "{a20-}", "1h0BI8QMKQqinSd7LE3i"),
    rule("serverchan-webhook", "sctapi.ftqq.com/", "{a20-}", "y0KdrSdUw2Hpo8xGMy5x"),
    rule("slack-webhook", "hooks.slack.com/services/", "{t10-}", "JgNZnSq0Kj"),
    rule("slack-webhook", "hooks.slack.com/triggers/", "{t10-}", "T8z5-xcOzs"),
    rule("slack-webhook", "hooks.slack.com/workflows/", "{t10-}", "1z7H6G4YBX"),
    rule("teams-webhook", "outlook.office.com/webhook/", "{h40-}", "pTqKfSHAr5GQwCg5xFweMv-68a4NO3OkVt3dbjWs"),
    rule("teams-webhook", "webhook.office.com/webhookb2/", "{h60-}", "6HhPVGyfMLBJagL3APSV-EOpGSW9uQewOd7xVrNcn-42gS4DoQw6ic8GmF7S"),
    rule("wecom-webhook", "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", "{x8}-{x4}-{x4}-{x4}-{x12}", "9fa148f7-978e-d913-7e81-c8d75ae960dd"),
    rule("zapier-webhook", "hooks.zapier.com/hooks/catch/", "{d5-}/{a5-}", "35202/EeuZe"),
];
