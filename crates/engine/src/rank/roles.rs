//! What a file is for: tests, examples and prose repeat the words of the code that is asked for.
//!
//! A prompt that speaks of tests, examples or docs takes most of the weight away.

use index::Role;

use super::context::RankContext;
use crate::query::Zone;

/// What is left when the prompt asks for such files.
const ASKED: f32 = 0.3;

pub(super) fn test(context: &RankContext<'_>) -> Vec<f32> {
    of_roles(context, &[Role::Test], &["test", "测试", "用例", "spec"])
}

pub(super) fn example(context: &RankContext<'_>) -> Vec<f32> {
    of_roles(
        context,
        &[Role::Example],
        &["exampl", "example", "demo", "sampl", "示例", "benchmark"],
    )
}

pub(super) fn generated(context: &RankContext<'_>) -> Vec<f32> {
    of_roles(context, &[Role::Generated], &[])
}

pub(super) fn vendored(context: &RankContext<'_>) -> Vec<f32> {
    of_roles(context, &[Role::Vendored], &[])
}

pub(super) fn prose(context: &RankContext<'_>) -> Vec<f32> {
    of_roles(
        context,
        &[Role::Docs, Role::Data, Role::Config],
        &["doc", "document", "readm", "readme", "changelog", "文档", "config", "yaml"],
    )
}

/// Declarations without bodies: what is asked for is beside them.
pub(super) fn stub(context: &RankContext<'_>) -> Vec<f32> {
    by_path(context, |path| path.ends_with(".d.ts") || path.ends_with(".pyi"))
}

/// Texts for people in one language: they have the words of every part of the product and none of its behaviour.
pub(super) fn locale(context: &RankContext<'_>) -> Vec<f32> {
    const FOLDERS: &[&str] = &[
        "i18n",
        "l10n",
        "lang",
        "langs",
        "language",
        "languages",
        "locale",
        "locales",
        "translations",
    ];
    by_path(context, |path| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let coded = matches!(stem.len(), 2 | 5 | 7)
            && stem.bytes().all(|byte| byte.is_ascii_alphabetic() || b"-_".contains(&byte));
        coded && parts.any(|folder| FOLDERS.contains(&folder.to_ascii_lowercase().as_str()))
    })
}

/// Files that only pass on what others define.
pub(super) fn barrel(context: &RankContext<'_>) -> Vec<f32> {
    by_path(context, |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        ["__init__.py", "index.ts", "index.js", "mod.rs", "lib.rs"].contains(&name)
    })
}

fn of_roles(context: &RankContext<'_>, roles: &[Role], words: &[&str]) -> Vec<f32> {
    let asked = context
        .query
        .terms
        .iter()
        .any(|term| term.zones.of(Zone::Title) > 0.0 && words.contains(&term.text.as_str()));
    let weight = if asked { ASKED } else { 1.0 };
    context
        .candidates
        .iter()
        .map(|candidate| if roles.contains(&candidate.role) { weight } else { 0.0 })
        .collect()
}

fn by_path(context: &RankContext<'_>, fits: impl Fn(&str) -> bool) -> Vec<f32> {
    let value = |fits: bool| f32::from(u8::from(fits));
    context
        .candidates
        .iter()
        .map(|candidate| value(fits(context.view.path(candidate.file))))
        .collect()
}
