//! The page's files, and its texts in English and Chinese.

use serde_json::Value;

pub(crate) const SCRIPT: &str = include_str!("../assets/page.js");
pub(crate) const STYLE: &str = include_str!("../assets/page.css");
pub(crate) const ICON: &str = include_str!("../assets/icon.svg");
/// The page. It contains no text from repositories, models or logs.
const HTML: &str = include_str!("../assets/page.html");
/// The texts. Each line contains a key, the English text and the Chinese text, separated by tabs. The page's script replaces
/// the placeholders `{…}`.
const TEXTS: &str = include_str!("../assets/texts.tsv");

/// Returns the page's HTML with the given token and the texts in the given language.
pub(crate) fn html(language: PageLanguage, page_token: &str) -> String {
    let texts = language.texts();
    let word = |key: &str| texts[key].as_str().unwrap_or_default().to_owned();
    // The texts are constants. `<` is escaped so that no text can close the HTML element that contains them.
    let data = texts.to_string().replace('<', "\\u003c");
    HTML.replace("{{lang}}", language.tag())
        .replace("{{page}}", page_token)
        .replace("{{skip}}", &word("skip"))
        .replace("{{nav}}", &word("nav"))
        .replace("{{work}}", &word("work"))
        .replace("{{briefings}}", &word("briefings"))
        .replace("{{loading}}", &word("loading"))
        .replace("{{texts}}", &data)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageLanguage {
    English,
    Chinese,
}

impl PageLanguage {
    /// Returns the value of the page's `lang` attribute.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-Hans",
        }
    }

    /// Selects English or Chinese, whichever the browser prefers. Selects English if it accepts neither.
    pub(crate) fn preferred(accept_language: &str) -> Self {
        let mut best = (0.0, Self::English);
        for range in accept_language.split(',') {
            let (tag, parameters) = range.split_once(';').unwrap_or((range, "q=1"));
            let weight = parameters.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
            let language = match tag.trim().split('-').next().unwrap_or_default() {
                tag if tag.eq_ignore_ascii_case("zh") => Self::Chinese,
                tag if tag.eq_ignore_ascii_case("en") => Self::English,
                _ => continue,
            };
            let weight = weight.unwrap_or(0.0);
            if weight > best.0 {
                best = (weight, language);
            }
        }
        best.1
    }

    /// Returns the texts as a JSON object for the page's script.
    pub(crate) fn texts(self) -> Value {
        let entry = |(key, english, chinese): (&str, &str, &str)| {
            let text = match self {
                Self::English => english,
                Self::Chinese => chinese,
            };
            (key.to_owned(), Value::from(text))
        };
        Value::Object(texts().map(entry).collect())
    }
}

fn texts() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TEXTS.lines().filter_map(|line| {
        let (key, texts) = line.split_once('\t')?;
        let (english, chinese) = texts.split_once('\t')?;
        Some((key, english, chinese))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_language_of_the_browser_is_used() {
        for (header, language) in [
            ("", PageLanguage::English),
            ("de", PageLanguage::English),
            ("zh-CN,zh;q=0.9,en;q=0.8", PageLanguage::Chinese),
            ("en-US,en;q=0.9,zh;q=0.8", PageLanguage::English),
            ("de, zh-TW;q=0.5, en;q=0.4", PageLanguage::Chinese),
            ("en;q=0, ZH;q=0.1", PageLanguage::Chinese),
            ("zh;q=x", PageLanguage::English),
        ] {
            assert_eq!(PageLanguage::preferred(header), language, "{header}");
        }
    }

    /// Checks that every key in the script exists, and that both texts have the same placeholders.
    #[test]
    fn both_languages_have_every_text_of_the_script() {
        let script = include_str!("../assets/page.js");
        let used = script.split("say(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let has = |key: &str| texts().any(|(known, ..)| known == key);
        let missing: Vec<_> = used.filter(|key| !key.ends_with('.') && !has(key)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        for state in queue::TaskState::ALL.map(queue::TaskState::word) {
            assert!(has(&format!("state.{state}")), "{state}");
        }
        for state in runs::SessionStatus::ALL.map(runs::SessionStatus::word) {
            assert!(has(&format!("state.{state}")), "{state}");
        }
        let html = include_str!("../assets/page.html");
        for operation in ["stop", "continue", "cancel", "retry", "approve"] {
            assert!(has(&format!("do.{operation}")), "{operation}");
        }
        for (key, english, chinese) in texts() {
            let is_composed = key.contains('.');
            let is_used =
                script.contains(&format!("\"{key}\"")) || html.contains(&format!("{{{{{key}}}}}"));
            assert!(is_composed || is_used, "{key}");
            let names = |text: &str| {
                let mut names: Vec<String> = text
                    .split('{')
                    .skip(1)
                    .filter_map(|rest| rest.split('}').next().map(str::to_owned))
                    .collect();
                names.sort();
                names
            };
            assert_eq!(names(english), names(chinese), "{key}");
        }
    }
}
