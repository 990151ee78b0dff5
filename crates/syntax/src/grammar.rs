//! Types for the rules of a language. A rule says what is recorded for one kind of syntax node.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::complexity::Branch;
use crate::definition::Kind;
use crate::languages::{self, Language, ModuleSystem};
use crate::outline::ReferenceKind;
use crate::walk::Walk;

/// The properties of one language.
pub(crate) struct Profile {
    pub(crate) name: &'static str,
    /// Common file extensions, in lower case. A word in a prompt that ends with one of these extensions is treated as
    /// a file name.
    pub(crate) extensions: &'static [&'static str],
    /// Less common file extensions, in lower case. They identify files of the language, but a word in a prompt that
    /// ends with one of them is not treated as a file name.
    pub(crate) rare_extensions: &'static [&'static str],
    pub(crate) file_names: &'static [&'static str],
    /// The interpreter names that can appear in the `#!` line of a script, without version numbers.
    pub(crate) interpreters: &'static [&'static str],
    pub(crate) module_system: ModuleSystem,
}

impl Profile {
    pub(crate) fn all_extensions(&self) -> impl Iterator<Item = &'static str> {
        self.extensions.iter().chain(self.rare_extensions).copied()
    }
}

pub(crate) struct Grammar {
    pub(crate) language: fn() -> tree_sitter::Language,
    /// The rules for named nodes, in addition to [`COMMON_NODES`]. Each row contains node kinds, separated by spaces, and
    /// their rule. If there are several rules for the same node kind, the last one is used.
    pub(crate) nodes: &'static [&'static [(&'static str, Rule)]],
    /// The rules for tokens, in addition to [`COMMON_TOKENS`].
    pub(crate) tokens: &'static [(&'static str, Rule)],
}

#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// Visit the children.
    Descend,
    /// Do not visit the children.
    Skip,
    /// A definition with the fields `name` and `body`.
    Define(Kind),
    /// A plain name that may refer to a definition in this file or in another file.
    Name,
    /// An access to a member, such as `settings.DEBUG`.
    Member,
    /// A call. The called expression is in the field `function`. If there is no such field, the name is taken from the
    /// node itself.
    Call,
    /// A constructor call of the type in the field `constructor` or `type`.
    Construct,
    /// A list in which each named child is a supertype of the enclosing definition.
    Inherit,
    /// A closure, unless it is the body of a definition.
    Closure,
    /// A type with a path, such as `models.User`.
    ScopedType,
    /// A name that is always recorded as a reference of this kind.
    Refer(ReferenceKind),
    /// A node in which all names are types.
    TypeScope,
    Comment,
    Text,
    Branch(Branch),
    Operator,
    /// Call the function with the node in the field `name`, if there is one, then visit the children.
    Named(fn(&mut Walk<'_>, Node<'_>, Node<'_>)),
    /// Call the function, then visit the children.
    Visit(fn(&mut Walk<'_>, Node<'_>)),
    /// Call the function. Do not visit the children.
    Leaf(fn(&mut Walk<'_>, Node<'_>)),
    /// Call the function, which decides whether the children are visited.
    Decide(fn(&mut Walk<'_>, Node<'_>) -> Next),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Descend,
    Skip,
}

/// The rules for named nodes that have the same meaning in all grammars. A grammar's own rule for the same node kind takes
/// precedence.
const COMMON_NODES: &[(&str, Rule)] = &[
    ("class_declaration", Rule::Define(Kind::Class)),
    ("enum_declaration", Rule::Define(Kind::Enum)),
    ("interface_declaration", Rule::Define(Kind::Interface)),
    ("function_definition", Rule::Define(Kind::Function)),
    ("superclass", Rule::Inherit),
    ("new_expression", Rule::Construct),
    ("identifier", Rule::Name),
    ("type_identifier", Rule::Refer(ReferenceKind::Type)),
    ("comment line_comment", Rule::Comment),
    ("string string_literal raw_string_literal", Rule::Text),
    ("if_statement if_expression conditional_expression", Rule::Branch(Branch::If)),
    ("ternary_expression", Rule::Branch(Branch::If)),
    ("else_clause", Rule::Branch(Branch::Else)),
    ("for_statement while_statement do_statement", Rule::Branch(Branch::Loop)),
    ("switch_statement switch_expression match_expression", Rule::Branch(Branch::Switch)),
    ("catch_clause catch_block", Rule::Branch(Branch::Catch)),
    ("lambda_expression anonymous_function", Rule::Closure),
];
/// The rules for tokens that have the same meaning in all grammars.
const COMMON_TOKENS: &[(&str, Rule)] = &[("&&", Rule::Operator), ("||", Rule::Operator)];

macro_rules! fields {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// The grammar fields that the rules use. Their ids are looked up once per grammar.
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

/// A grammar's rules, indexed by node kind id.
pub(crate) struct Table {
    pub(crate) language: tree_sitter::Language,
    rules: Vec<Rule>,
    fields: Vec<u16>,
}

impl Table {
    /// Returns the table for a language, or `None` if the language has no grammar. The table is built on first use.
    pub(crate) fn of(language: Language) -> Option<&'static Self> {
        static TABLES: [OnceLock<Table>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let grammar = languages::grammar(language)?;
        Some(TABLES[usize::from(language.number()) - 1].get_or_init(|| Self::new(grammar)))
    }

    fn new(grammar: &Grammar) -> Self {
        let language = (grammar.language)();
        let nodes = by_kind(COMMON_NODES.iter().chain(grammar.nodes.iter().copied().flatten()));
        let tokens = by_kind(COMMON_TOKENS.iter().chain(grammar.tokens));
        let rules = (0..language.node_kind_count() as u16)
            .map(|id| {
                let is_named = language.node_kind_is_named(id);
                let (rules, otherwise) =
                    if is_named { (&nodes, Rule::Descend) } else { (&tokens, Rule::Skip) };
                let kind = language.node_kind_for_id(id).unwrap_or_default();
                rules.get(kind).copied().unwrap_or(otherwise)
            })
            .collect();
        let fields = FIELD_NAMES
            .iter()
            .map(|name| language.field_id_for_name(name).map_or(0, |id| id.get()))
            .collect();
        Self { language, rules, fields }
    }

    /// Returns the rule for a node kind. Error nodes have an id outside the table; [`Rule::Descend`] applies to them.
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

/// Returns the rule for each node kind. If several rows name the same kind, the last one applies.
fn by_kind<'r>(rows: impl Iterator<Item = &'r (&'r str, Rule)>) -> FxHashMap<&'r str, Rule> {
    rows.flat_map(|(kinds, rule)| kinds.split(' ').map(|kind| (kind, *rule))).collect()
}
