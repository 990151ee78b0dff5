//! What is done at each kind of syntax node: the rules a language file lists, indexed by node kind.

use std::sync::OnceLock;

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::definition::Kind;
use crate::language::Language;
use crate::languages;
use crate::outline::ReferenceKind;
use crate::walk::Walk;

/// All that is known about a language; each file in `languages/` has one.
pub(crate) struct Profile {
    pub(crate) name: &'static str,
    pub(crate) extensions: &'static [&'static str],
    pub(crate) file_names: &'static [&'static str],
    pub(crate) interpreters: &'static [&'static str],
    pub(crate) grammar: Option<Grammar>,
}

pub(crate) struct Grammar {
    pub(crate) language: fn() -> tree_sitter::Language,
    /// Rules for named nodes. Of two rules for a kind the later one holds.
    pub(crate) nodes: &'static [&'static [(&'static str, Rule)]],
    /// Rules for keywords and operators.
    pub(crate) tokens: &'static [(&'static str, Rule)],
}

pub(crate) type Visit = fn(&mut Walk<'_>, Node<'_>) -> Next;

#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// Nothing of interest itself; look inside.
    Descend,
    /// Nothing of interest inside either.
    Skip,
    /// A definition with its name in the field `name` and its body in `body`.
    Define(Kind),
    /// A plain name, perhaps of something defined elsewhere.
    Name,
    /// A name taken out of something: `settings.DEBUG`.
    Member,
    /// A call of what is in the field `function`, else of the node itself.
    Call,
    /// A call of the constructor of the type in the field `constructor` or `type`.
    Construct,
    /// Each named child is a supertype of the definition around.
    Inherit,
    /// A closure, unless a definition has taken it as its body.
    Closure,
    /// A name with its scope, which is a type's.
    ScopedType,
    /// A name that is surely a reference of this kind.
    Refer(ReferenceKind),
    /// Names inside are types.
    TypeScope,
    Comment,
    Text,
    Branch(Branch),
    /// A logical operator.
    Operator,
    Visit(Visit),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Descend,
    Skip,
}

macro_rules! fields {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// The field names the rules ask for, resolved once per grammar.
        #[derive(Debug, Clone, Copy)]
        pub(crate) enum Field { $($variant),* }
        const FIELD_NAMES: &[&str] = &[$($name),*];
    };
}

fields! {
    Alias "alias",
    Attribute "attribute",
    Body "body",
    Constructor "constructor",
    Member "field",
    Function "function",
    Left "left",
    Method "method",
    ModuleName "module_name",
    Name "name",
    Parameters "parameters",
    Path "path",
    Property "property",
    ReturnType "return_type",
    Right "right",
    Source "source",
    Type "type",
    Value "value",
}

/// The rules of one grammar by node kind id.
pub(crate) struct Table {
    pub(crate) language: tree_sitter::Language,
    rules: Vec<Rule>,
    fields: Vec<u16>,
}

impl Table {
    /// The table of a language, made on first use; none when it has no grammar.
    pub(crate) fn of(language: Language) -> Option<&'static Self> {
        static TABLES: [OnceLock<Table>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let grammar = languages::profile(language).grammar.as_ref()?;
        Some(TABLES[language as usize].get_or_init(|| Self::new(grammar)))
    }

    fn new(grammar: &Grammar) -> Self {
        let language = (grammar.language)();
        let rules = (0..language.node_kind_count() as u16)
            .map(|id| {
                let name = language.node_kind_for_id(id).unwrap_or_default();
                if language.node_kind_is_named(id) {
                    let listed = grammar.nodes.iter().flat_map(|list| list.iter());
                    listed.rev().find(|(kind, _)| *kind == name).map_or(Rule::Descend, |it| it.1)
                } else {
                    let listed = grammar.tokens.iter();
                    listed.rev().find(|(kind, _)| *kind == name).map_or(Rule::Skip, |it| it.1)
                }
            })
            .collect();
        let fields = FIELD_NAMES
            .iter()
            .map(|name| language.field_id_for_name(name).map_or(0, |id| id.get()))
            .collect();
        Self { language, rules, fields }
    }

    /// What to do at a node of this kind. An error node, whose id is outside the table, is entered.
    pub(crate) fn rule(&self, kind_id: u16) -> Rule {
        self.rules.get(kind_id as usize).copied().unwrap_or(Rule::Descend)
    }

    pub(crate) fn field<'t>(&self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        match self.fields[field as usize] {
            0 => None,
            id => node.child_by_field_id(id),
        }
    }
}
