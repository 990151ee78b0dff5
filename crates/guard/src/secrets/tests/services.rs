//! Tests of keys that are assigned to the name of a service, of passwords made of words, and of look-alikes near them.

use super::positions::{check_removed, check_unchanged};

#[test]
fn a52_a_generated_value_after_the_name_of_a_service_is_removed() {
    check_removed(&[
        ("SHODAN=wT4kZp9LmQx2RbN7sVt8Yd3H", "wT4kZp9L"),
        (
            "export VIRUSTOTAL=91d07be64a53b1f0e9d2c6a784350f3a91d07be64a53b1f0e9d2c6a784350f3b",
            "91d07be6",
        ),
        ("SONAR=\"0ba784350f3a91d07be64a53b1f0e9d24b1c77aa\"", "0ba78435"),
        ("mastodon='Vt4Kq9ZmXw2RbN7sTn4RwYb7Hc1DgPfJ'", "Vt4Kq9Zm"),
        ("azure_openai = \"7be64a53b1f0e9d2c6a784350f3a91d0\"", "7be64a53"),
        (
            "together = \"c6a784350f3a91d07be64a53b1f0e9d2c6a784350f3a91d07be64a53b1f0e9d4\"",
            "c6a78435",
        ),
        ("Splunk=3d745c25-9673-42fb-8d92-ceff948d0e28", "3d745c25"),
        ("{\"groq\": \"hX2mRw7LkQ9zTb4NvC8yPd3F\"}", "hX2mRw7L"),
        ("MAXMIND=tQ7mZx2LkV9pRw4N", "tQ7mZx2L"),
        ("'pushover' => 'k7of2ou93xee4ibz8q5w1r6t9y2u3p',", "k7of2ou9"),
        ("- name: BUGSNAG\n  value: c6a784350f3a91d07be64a53b1f0e9d2\n", "c6a78435"),
        ("curl -H 'x-honeycomb-team: wT4kZp9LmQx2RbN7sVt8Yd'", "wT4kZp9L"),
    ]);
}

#[test]
fn a52_public_values_after_the_name_of_a_service_are_unchanged() {
    check_unchanged(&[
        "SHODAN=your-shodan-api-key-here\nVIRUSTOTAL=\nMAXMIND=xxxxxxxxxxxxxxxx\n",
        "SPEC CHECKSUMS:\n  Mixpanel: c6a784350f3a91d07be64a53b1f0e9d24b1c77aa\n  Shopify: 0f3a91d07be64a53b1f0e9d24b1c77aac6a78435\n",
        "grafana = \"c6a784350f3a91d07be64a53b1f0e9d24b1c77aa\"",
        "[checksums]\ngrafana = \"91d07be64a53b1f0e9d2c6a784350f3a91d07be64a53b1f0e9d2c6a784350f3b\"",
        "grafana = \"91d07be64a53b1f0e9d2c6a784350f3a91d07be64a53b1f0e9d2c6a784350f3b\"\nloki = \"0f3a91d07be64a53b1f0e9d2c6a784350f3a91d07be64a53b1f0e9d2c6a7843a\"\n",
        "\"netlify\": \"91d07be64a53b1f0e9d2c6a784350f3a91d07be64a53b1f0e9d2c6a784350f3b\",",
        "grafana = { git = \"https://github.com/grafana/grafana\", rev = \"c6a784350f3a91d07be64a53b1f0e9d24b1c77aa\" }",
        "image: registry.acme.io/gitlab:c6a784350f3a91d07be64a53b1f0e9d2",
        "GITLAB=https://gitlab.acme.io/group/c6a784350f3a91d07be64a53b1f0e9d2",
        "grafana: sha256:91d07be64a53b1f0e9d2c6a784350f3a91d07be64a53b1f0e9d2c6a784350f3b",
        "segment: c6a784350f3a91d07be64a53b1f0e9d2",
        "netlify: 3d745c25-9673-42fb-8d92-ceff948d0e28",
        "OPENAI=gpt-4o-mini-2024-07-18",
        "anthropic: claude-3-5-sonnet-20241022",
        "\"deepseek\": \"deepseek-ai/DeepSeek-R1-Distill-Qwen-32B\"",
        "const grafana = \"grafana-agent-operator-7f9c8d6b5-x2x4z\"",
        "BINANCE=0x0f3a91d07be64a53b1f0e9d24b1c77aac6a78435",
        "VERCEL=prj_c6a784350f3a91d07be6",
        "supabase = createClient2WithOptionsAndRetry(url)",
        "netlify = \"main-9f8e7d6c5b4a3f2e1d0c.chunk.js\"",
        "supabase: \"xk29abcq7mzx2lkv9prw.supabase.co\"",
        "<a data-segment=\"c6a784350f3a91d07be64a53b1f0e9d2\">",
        "cloudflare: cdnjs.cloudflare.com/ajax/libs/jquery/3.6.0",
        "together = load_model_from_checkpoint_v2_2024",
        "const pat = \"^[A-Za-z0-9]{20,40}$\"; let pat = regex_from_parts_v2_0123456789;",
        "gitlab-runner = \"c6a784350f3a91d07be64a53b1f0e9d2\"",
        "We sent the events to Segment: 91 of 20417 were dropped by Bugsnag = ignored.",
    ]);
}

#[test]
fn a52_a_service_and_a_word_for_a_key_form_one_name() {
    check_removed(&[
        ("thehivekey=tQ7mZx2LkV9pRw4NsB8y", "tQ7mZx2L"),
        ("maltegokey=wT4kZpLmQxRbNsVt", "wT4kZpLm"),
        ("WASABIKEY=\"hX2mRw7LkQ9zTb4NvC8yPd3F\"", "hX2mRw7L"),
        ("CONSTANTCONTACTKEY: c6a784350f3a91d07be64a53b1f0e9d2", "c6a78435"),
        ("HUAWEICLOUDSK=Vt4Kq9ZmXw2RbN7sTn4RwYb7Hc1DgPfJ3UeaTo5i", "Vt4Kq9Zm"),
        ("ado_pat=k7of2ou93xee4ibz8q5w1r6t9y2u3pk4of2ou93xee4ibz8q5w1r", "k7of2ou9"),
        ("\"AZURE_PAT\": \"hX2mRw7LkQ9zTb4NvC8yPd3F\"", "hX2mRw7L"),
        ("filebase_s3_key=\"K7XQ2R9VTB4N8ZMW3YHD\"", "K7XQ2R9V"),
        ("{\"environment_key\": \"ser.tQ7mZx2LkV9pRw4NsB8yHd3C\"}", "tQ7mZx2L"),
        ("char auth[] = \"c6a784350f3a91d07be64a53b1f0e9d2\";", "c6a78435"),
        (
            "static const char api_token[TOKEN_LENGTH] = \"c6a784350f3a91d07be64a53b1f0e9d2\";",
            "c6a78435",
        ),
        ("sentinel auth-pass cache01 curlewBay\n", "curlewBay"),
        ("sentinel auth-pass cache01 \"Dunlin and\"", "Dunlin"),
    ]);
    check_unchanged(&[
        "monkey=tQ7mZx2LkV9pRw4NsB8y primarykey=tQ7mZx2LkV9pRw4NsB8y",
        "hotkey: tQ7mZx2LkV9pRw4NsB8y",
        "cachekey=\"tQ7mZx2LkV9pRw4NsB8y\"\nsortkey=\"tQ7mZx2LkV9pRw4NsB8y\"",
        "shopify_cache_key = \"shopify/products/v2\"",
        "compat=tQ7mZx2LkV9pRw4NsB8y format=tQ7mZx2LkV9pRw4NsB8y",
        "the sentinel auth-pass option sets a password",
        "char buffer[] = \"c6a784350f3a91d07be64a53b1f0e9d2\";",
        "char auth[] = \"Authorization: Basic\"; char key[16];",
        "filebase_s3_key = \"reports/2026/K7XQ2R9V\"; s3_key: \"QUARTERLYREPORTFINAL\"",
        "environment_key: \"settings.environmentName\"",
    ]);
}

#[test]
fn a52_words_with_a_number_are_a_password_after_its_name() {
    check_removed(&[
        ("{\"secret\":\"HeronPass123456\"}", "HeronPass123456"),
        ("REPORT TOKEN=\"ReportDbPass20417\"", "ReportDbPass20417"),
        ("Password: GuestPassword482", "GuestPassword482"),
        ("password = \"WelcomeBack123456\"", "WelcomeBack123456"),
    ]);
    check_unchanged(&[
        "secret: db-credentials",
        "password: password-reset",
        "token: \"accessToken1\"",
        "token = \"BypassToken2\"",
        "secretName: \"AppSecret2024\"",
        "Password: Sha512",
        "password: String50",
        "\"token\": \"CompassRose360\"",
        "token: \"PasswordResetToken2024\"",
        "token_class = \"PasswordHasher256\"",
    ]);
}
