//! The words by which quoted examples and descriptions of attacks are recognised.

use crate::injection::WORDS;
use crate::table::WordList;

/// Words that identify a quotation as an example of an attack.
pub(super) static CONTEXT: WordList = WordList::new(WORDS, "context");

/// Words that name an attack. A quotation after such a word is an example even if it names a secret.
pub(super) static ATTACK: WordList = WordList::new(WORDS, "attack");

/// Injections that do not concern a model. They do not identify a quotation as an example.
pub(super) static OTHER_INJECTIONS: WordList = WordList::new(WORDS, "other injections");

/// Words near a string literal which show that a program looks for the string or that a test uses it.
pub(super) static LITERAL_CONTEXT: WordList = WordList::new(WORDS, "literal context");

/// Words near a string literal which show that a filter is expected to find it. Such a literal is an example even if it
/// names a secret.
pub(super) static FILTER_TEST: WordList = WordList::new(WORDS, "filter test");

/// The content of table cells that classify the row as an attack.
pub(super) static CELL_LABELS: WordList = WordList::new(WORDS, "cell labels");

/// Parts of labels for a kind of attack in a row with a score or with tabs.
pub(super) static LABEL_PARTS: WordList = WordList::new(WORDS, "label parts");

/// Words that, directly before a quotation, introduce the wording of a message.
pub(super) static QUOTING: WordList = WordList::new(WORDS, "quoting");

/// Words that, after a quotation, state how the attack was handled.
pub(super) static VERDICT: WordList = WordList::new(WORDS, "verdict");

/// Names of kinds of attacks. A sentence that defines, compares or cites them is a description.
pub(super) static ATTACK_KINDS: WordList = WordList::new(WORDS, "attack kinds");

/// Words that occur in sentences that define, compare or cite attacks.
pub(super) static DEFINING: WordList = WordList::new(WORDS, "defining");

/// Verbs with which an injected order often starts.
pub(super) static ORDER_VERBS: WordList = WordList::new(WORDS, "words: order verbs");

/// Verbs that report what an attack asks for.
pub(super) static REPORTING: WordList = WordList::new(WORDS, "reporting");

/// Phrases which report that somebody achieved something by giving an order to a model or an agent.
pub(super) static REPORTED_MEANS: WordList = WordList::new(WORDS, "reported means");

/// Chinese words for the person whose actions a sentence reports.
pub(super) static PERSONS: WordList = WordList::new(WORDS, "persons");

/// Ranks, persons and places of stories.
pub(super) static STORY_WORDS: WordList = WordList::new(WORDS, "story words");

/// Words for what a program or a model works with. A sentence of a story that contains one of them may be an order to a
/// model.
pub(super) static MACHINE_WORDS: WordList = WordList::new(WORDS, "machine words");

/// Expressions for a model or an agent in a sentence that describes an attack.
pub(super) static READERS: WordList = WordList::new(WORDS, "readers");

/// Words which indicate that a sentence is an order to its reader and not a description.
pub(super) static SECOND_PERSON: WordList = WordList::new(WORDS, "second person");

/// Strings that indicate an address, a command or a path. A sentence that contains one of them is not treated as a
/// description of an attack.
pub(super) const TARGETS: &[&str] =
    &["://", "www.", "~/", ".env", ".ssh", "@", "$", "rm -", "sudo", ".example", ".com"];

/// The strings in [`TARGETS`] that may be part of a mail address.
pub(super) const MAIL_PARTS: &[&str] = &["@", ".example", ".com"];

pub(super) const COMMANDS: &[&str] =
    &["curl", "wget", "bash", "chmod", "npm ", "npx ", "pip ", "eval", "exec"];

/// Strings that indicate an address, a command, a path, an action or a secret. A quotation that contains one of them is
/// not harmless.
pub(super) static PAYLOAD: WordList = WordList::new(WORDS, "payload");

/// Names of models, agents and roles that an injected instruction may address at the start of a sentence.
pub(super) static READER_NAMES: WordList = WordList::new(WORDS, "words: reader names");
