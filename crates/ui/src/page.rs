//! The page's files. The HTML contains no text from repositories, models or logs.

use crate::texts::Language;

pub(crate) const SCRIPT: &str = include_str!("../assets/page.js");
pub(crate) const STYLE: &str = include_str!("../assets/page.css");
pub(crate) const ICON: &str = include_str!("../assets/icon.svg");
const HTML: &str = include_str!("../assets/page.html");

/// Returns the page's HTML with the given token and the texts in the given language.
pub(crate) fn html(language: Language, page_token: &str) -> String {
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
