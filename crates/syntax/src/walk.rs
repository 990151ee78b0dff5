//! Walks a syntax tree in one pass, without recursion, and applies to each node the rule for its kind.
//!
//! [`Walk`] contains the state that all rules share: the outline that is being built, and the names that have already
//! been recorded. The rules are in `languages/`.

mod comments;
mod define;
mod refer;

use std::time::Instant;

use tree_sitter::{Node, Tree};

use crate::builder::{Builder, SavedState};
use crate::complexity::Branch;
use crate::grammar::{Field, Next, Rule, Table};
use crate::outline::{Imported, Outline, OutlineProblem, ProblemKind, Reference};
use crate::span::{Lines, Span};

pub(crate) use define::Draft;

/// The maximum number of problems that are listed per file.
const MAX_PROBLEMS: usize = 20;
/// The number of nodes that are visited between two checks of the deadline. The clock is not read for every node,
/// because reading the clock takes longer than visiting a node.
const NODES_BETWEEN_CLOCK_READINGS: u32 = 4096;

/// Buffers that are reused for each file.
#[derive(Default)]
pub(crate) struct Scratch {
    ancestors: Vec<u16>,
    opened: Vec<Open>,
    claimed: Vec<usize>,
    names: Vec<Reference>,
}

/// A change to the state that is undone when the walk leaves the node at `depth`.
struct Open {
    depth: usize,
    what: Opened,
}

enum Opened {
    Definition(SavedState),
    Nesting,
    TypeScope,
}

pub(crate) struct Walk<'s> {
    pub(crate) source: &'s [u8],
    pub(crate) builder: Builder<'s>,
    table: &'static Table,
    /// The kind ids of the nodes around the current node, the innermost last.
    ancestors: &'s mut Vec<u16>,
    opened: &'s mut Vec<Open>,
    claimed: &'s mut Vec<usize>,
    /// The start byte of the current node.
    position: usize,
    type_scopes: u32,
    comment_run: Option<comments::Run>,
    /// Whether the tree contains a syntax error.
    has_errors: bool,
}

/// Walks a tree and adds everything that the rules find to the outline.
pub(crate) fn collect(
    table: &'static Table,
    tree: &Tree,
    source: &[u8],
    deadline: Option<Instant>,
    outline: Outline,
    scratch: &mut Scratch,
) -> Outline {
    let Scratch { ancestors, opened, claimed, names } = scratch;
    ancestors.clear();
    opened.clear();
    claimed.clear();
    let mut walk = Walk {
        source,
        builder: Builder::new(source, outline, names),
        table,
        ancestors,
        opened,
        claimed,
        position: 0,
        type_scopes: 0,
        comment_run: None,
        has_errors: tree.root_node().has_error(),
    };
    walk.run(tree, deadline);
    walk.builder.finish()
}

impl Walk<'_> {
    fn run(&mut self, tree: &Tree, deadline: Option<Instant>) {
        let mut cursor = tree.walk();
        let mut n_nodes = 0_u32;
        loop {
            n_nodes = n_nodes.wrapping_add(1);
            let node = cursor.node();
            if n_nodes.is_multiple_of(NODES_BETWEEN_CLOCK_READINGS)
                && deadline.is_some_and(|deadline| Instant::now() >= deadline)
            {
                return self.problem(ProblemKind::OutOfTime, node);
            }
            if self.enter(node) == Next::Descend && cursor.goto_first_child() {
                self.ancestors.push(node.kind_id());
                continue;
            }
            self.leave();
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.ancestors.pop();
                self.leave();
            }
        }
    }

    fn enter(&mut self, node: Node<'_>) -> Next {
        if self.has_errors && node.is_missing() {
            self.problem(ProblemKind::Syntax, node);
        }
        let rule = self.table.rule(node.kind_id());
        if matches!(rule, Rule::Skip) {
            return Next::Skip;
        }
        self.position = node.start_byte();
        self.apply(rule, node)
    }

    fn apply(&mut self, rule: Rule, node: Node<'_>) -> Next {
        match rule {
            Rule::Skip => return Next::Skip,
            Rule::Descend => {
                if node.is_error() {
                    self.problem(ProblemKind::Syntax, node);
                }
            }
            Rule::Define(kind) => {
                if let Some(name) = self.field(node, Field::Name) {
                    self.define(Draft::new(kind, node, name).body(self.field(node, Field::Body)));
                }
            }
            Rule::Name => self.name(node),
            Rule::Member => self.member(node),
            Rule::Call => self.call(node),
            Rule::Construct => self.construct(node),
            Rule::Inherit => self.inherit_each(node),
            Rule::Closure => self.closure(node),
            Rule::ScopedType => self.scoped_type(node),
            Rule::Refer(kind) => self.refer(kind, node),
            Rule::TypeScope => {
                self.type_scopes += 1;
                self.open(Opened::TypeScope);
            }
            Rule::Comment => {
                self.comment(node);
                return Next::Skip;
            }
            Rule::Text => self.text(node),
            Rule::Branch(branch) => self.branch(branch, node),
            Rule::Operator => self.operator(node),
            Rule::Named(visit) => {
                if let Some(name) = self.field(node, Field::Name) {
                    visit(self, node, name);
                }
            }
            Rule::Visit(visit) => visit(self, node),
            Rule::Leaf(visit) => {
                visit(self, node);
                return Next::Skip;
            }
            Rule::Decide(visit) => return visit(self, node),
        }
        Next::Descend
    }

    fn leave(&mut self) {
        let depth = self.ancestors.len();
        while self.opened.last().is_some_and(|open| open.depth >= depth) {
            match self.opened.pop().map(|open| open.what) {
                Some(Opened::Definition(saved)) => self.builder.leave(saved),
                Some(Opened::Nesting) => {
                    self.builder.nesting = self.builder.nesting.saturating_sub(1);
                }
                Some(Opened::TypeScope) => self.type_scopes -= 1,
                None => {}
            }
        }
    }

    fn open(&mut self, what: Opened) {
        self.opened.push(Open { depth: self.ancestors.len(), what });
    }

    fn problem(&mut self, kind: ProblemKind, node: Node<'_>) {
        if self.builder.outline.problems.len() < MAX_PROBLEMS || kind == ProblemKind::OutOfTime {
            self.builder.outline.problems.push(OutlineProblem { kind, line: line(node) });
        }
    }

    pub(crate) fn field<'t>(&self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        self.table.field(node, field)
    }

    /// Returns whether the parent of the current node has this kind.
    pub(crate) fn parent_kind_is(&self, kind: &str) -> bool {
        let parent = self.ancestors.last();
        parent.and_then(|id| self.table.language.node_kind_for_id(*id)) == Some(kind)
    }

    /// Returns whether the innermost enclosing function is a definition. A function that is passed as an argument is
    /// not a definition.
    pub(crate) fn is_in_body_of_definition(&self) -> bool {
        let mut kinds =
            self.ancestors.iter().rev().filter_map(|id| self.table.language.node_kind_for_id(*id));
        let is_definition = kinds.find_map(|kind| match kind {
            "arrow_function" | "function_expression" | "generator_function" => Some(false),
            "function_declaration" | "generator_function_declaration" => Some(true),
            "method_definition" => Some(true),
            _ => None,
        });
        // A function that is the value of a variable or member is a definition.
        let has_name = |outer| match outer {
            "variable_declarator" | "pair" | "assignment_expression" => true,
            _ => matches!(outer, "field_definition" | "public_field_definition"),
        };
        is_definition.is_some_and(|it| it || kinds.next().is_some_and(has_name))
    }

    pub(crate) fn branch(&mut self, branch: Branch, node: Node<'_>) {
        if branch == Branch::Case && is_default(self.bytes(node)) {
            return;
        }
        if branch == Branch::If && self.follows_else(node) {
            // The `else` of an `else if` has already been counted. Grammars differ in how they nest the `if` after it.
            return self.builder.branch(Branch::Case);
        }
        self.builder.branch(branch);
        if branch.nests() && self.builder.complexity().is_some() {
            self.builder.nesting = self.builder.nesting.saturating_add(1);
            self.open(Opened::Nesting);
        }
    }

    fn closure(&mut self, node: Node<'_>) {
        if !self.is_claimed(node) {
            self.branch(Branch::Closure, node);
        }
    }

    pub(crate) fn operator(&mut self, node: Node<'_>) {
        self.builder.operator(node.kind_id(), span(node));
    }

    fn follows_else(&self, node: Node<'_>) -> bool {
        let before = self.source.get(..node.start_byte()).unwrap_or_default().trim_ascii_end();
        before.strip_suffix(b"else").is_some_and(|rest| {
            !rest.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        })
    }

    /// Records an import on the line of `node`.
    pub(crate) fn import(
        &mut self,
        path: impl Into<String>,
        imported: Imported,
        alias: Option<Span>,
        node: Node<'_>,
    ) {
        self.builder.import(path, imported, alias, line(node));
    }

    pub(crate) fn bytes(&self, node: Node<'_>) -> &[u8] {
        self.source.get(node.byte_range()).unwrap_or_default()
    }
}

pub(crate) fn span(node: Node<'_>) -> Span {
    Span::new(node.byte_range())
}

pub(crate) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// Returns the lines of a node. If the node ends with a line break, the empty line after the break is not included.
fn lines(node: Node<'_>) -> Lines {
    let (start, end) = (node.start_position(), node.end_position());
    let last = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
    Lines { first: start.row as u32 + 1, last: last as u32 + 1 }
}

/// Returns whether a case is the default case, which is not a decision.
fn is_default(case: &[u8]) -> bool {
    const DEFAULTS: [&[u8]; 6] = [b"default", b"else", b"*)", b"_ =>", b"case _", b"_ ->"];
    DEFAULTS.iter().any(|text| case.starts_with(text))
}
