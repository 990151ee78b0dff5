//! Extracts definitions and references from Elixir source. In Elixir, modules, functions, imports and tests are
//! written as macro calls, so the rules depend on the name of the called macro.

use tree_sitter::Node;

use crate::complexity::Branch;
use crate::definition::Kind;
use crate::grammar::{Field, Grammar, Next, Rule};
use crate::outline::{Imported, ReferenceKind};
use crate::span::Span;
use crate::walk::{Draft, Walk, line, span};

use super::{child_of_kind, named_children};

pub(crate) const GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_elixir::LANGUAGE.into(),
    nodes: &[&[
        ("call", Rule::Decide(call)),
        ("unary_operator", Rule::Decide(unary)),
        ("alias", Rule::Leaf(module_name)),
        ("charlist", Rule::Text),
        ("else_block", Rule::Branch(Branch::Else)),
        ("rescue_block", Rule::Branch(Branch::Catch)),
        ("stab_clause", Rule::Branch(Branch::Case)),
    ]],
    tokens: &[("and", Rule::Operator), ("or", Rule::Operator)],
};

fn call(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let Some(target) = node.child_by_field_name("target") else { return Next::Descend };
    let arguments = child_of_kind(node, "arguments");
    let first = arguments.and_then(|it| it.named_child(0));
    if target.kind() != "identifier" {
        remote_call(walk, target, arguments.is_some());
        return Next::Descend;
    }
    // A function header is parsed as a call, but it has already been recorded.
    if walk.is_claimed(node) {
        return Next::Descend;
    }
    let macro_name = walk.bytes(target);
    match (macro_name, first) {
        (b"defmodule", Some(name)) => define_module(walk, node, name, Kind::Module),
        (b"defprotocol", Some(name)) => define_module(walk, node, name, Kind::Interface),
        (b"defimpl", Some(name)) => define_module(walk, node, name, Kind::Extension),
        (
            b"def" | b"defp" | b"defdelegate" | b"defguard" | b"defguardp" | b"defn",
            Some(header),
        ) => {
            define_function(walk, node, header, Kind::Function);
        }
        (b"defmacro" | b"defmacrop", Some(header)) => {
            define_function(walk, node, header, Kind::Macro);
        }
        (b"test" | b"describe" | b"property", Some(title)) if title.kind() == "string" => {
            let draft = Draft::named(Kind::Test, node, walk.without_quotes(title));
            walk.define(draft.body(child_of_kind(node, "do_block")));
            walk.claim(span(title));
        }
        (b"alias" | b"import" | b"require" | b"use", Some(module)) => {
            import(walk, node, module, arguments);
            return Next::Skip;
        }
        (b"if" | b"unless", _) => walk.branch(Branch::If, node),
        (b"for", _) => walk.branch(Branch::Loop, node),
        (b"case" | b"cond" | b"with" | b"receive" | b"try", _) => walk.branch(Branch::Switch, node),
        (b"defstruct" | b"defexception" | b"raise" | b"quote" | b"unquote", _) => {}
        _ => walk.record(ReferenceKind::Call, target, None),
    }
    walk.claim(span(target));
    Next::Descend
}

/// Records a call of a function in another module, such as `Accounts.get_user(id)`. `user.name` has no arguments and
/// does not start with a module, so it is a map access and is not recorded.
fn remote_call(walk: &mut Walk<'_>, target: Node<'_>, has_arguments: bool) {
    let is_module = walk.field(target, Field::Left).is_some_and(|it| it.kind() == "alias");
    let name = walk.field(target, Field::Right).filter(|it| it.kind() == "identifier");
    if let Some(name) = name.filter(|_| target.kind() == "dot" && (has_arguments || is_module)) {
        walk.record(ReferenceKind::Call, name, walk.receiver(target, name));
        walk.claim(span(name));
    }
}

/// Records a module. For `Shop.Cart`, the last part is the name and the rest is the owner.
fn define_module(walk: &mut Walk<'_>, node: Node<'_>, name: Node<'_>, kind: Kind) {
    let (owner, last) = split(walk, span(name));
    let draft = Draft::named(kind, node, last).owner(owner);
    walk.define(draft.signature_end(Some(name.end_byte())));
    walk.claim(span(name));
}

/// Records a function or macro. Consecutive clauses of the same function form one definition.
fn define_function(walk: &mut Walk<'_>, node: Node<'_>, header: Node<'_>, kind: Kind) {
    let guarded = |it: &Node<'_>| it.kind() == "binary_operator";
    let head = Some(header).filter(guarded).and_then(|it| walk.field(it, Field::Left));
    let head = head.unwrap_or(header);
    let name = if head.kind() == "call" { head.child_by_field_name("target") } else { Some(head) };
    let Some(name) = name.filter(|it| it.kind() == "identifier") else { return };
    if !walk.continues_definition(node, span(name)) {
        let body = child_of_kind(node, "do_block").or(Some(header));
        let draft = Draft::new(kind, node, name).body(body);
        walk.define(draft.signature_end(Some(header.end_byte())));
    }
    walk.claim(span(head));
    walk.claim(span(name));
}

/// Records the modules that an `alias`, `import`, `require` or `use` names. By convention, the module's name determines
/// the file that defines it, and the path of this file is recorded: `shop/cart_item` for `Shop.CartItem`.
fn import(walk: &mut Walk<'_>, node: Node<'_>, module: Node<'_>, arguments: Option<Node<'_>>) {
    let is_import = walk.bytes(node).starts_with(b"import");
    let imported = if is_import { Imported::All } else { Imported::Module };
    // The grammar parses `alias Shop.{Cart, Item}` as the operator `.` with a tuple on the right.
    let group = walk.field(module, Field::Right).filter(|it| it.kind() == "tuple");
    if let (Some(group), Some(base)) = (group, walk.field(module, Field::Left)) {
        let base = walk.bytes(base).to_vec();
        for member in named_children(group) {
            let name = [&base, b".".as_slice(), walk.bytes(member)].concat();
            let alias = Some(split(walk, span(member)).1);
            walk.import(file_path(&name), imported, alias, node);
        }
        return;
    }
    if module.kind() != "alias" {
        return;
    }
    let renamed = arguments
        .and_then(|it| child_of_kind(it, "keywords"))
        .and_then(|it| child_of_kind(it, "pair"))
        .and_then(|it| walk.field(it, Field::Value))
        .filter(|it| it.kind() == "alias");
    let alias = renamed.map_or_else(|| split(walk, span(module)).1, span);
    walk.import(file_path(walk.bytes(module)), imported, Some(alias), node);
}

/// Attributes that the language and its libraries define. Any other attribute is recorded as a constant of the module.
#[rustfmt::skip]
const KNOWN_ATTRIBUTES: &[&[u8]] = &[
    b"spec", b"type", b"typep", b"opaque", b"callback", b"macrocallback", b"impl", b"behaviour", b"derive", b"enforce_keys",
    b"dialyzer", b"compile", b"tag", b"moduletag", b"describetag", b"deprecated", b"since", b"on_load", b"external_resource",
    b"before_compile", b"after_compile", b"on_definition", b"optional_callbacks", b"primary_key", b"foreign_key_type",
];

/// Records module attributes. `@doc "…"` is recorded as a comment, which becomes the doc comment of the next
/// definition, even if attributes such as `@spec` are between them. `@max_items 50` defines a constant.
fn unary(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let operand = node.child_by_field_name("operand").filter(|it| it.kind() == "call");
    let name = operand.and_then(|it| it.child_by_field_name("target"));
    let Some(name) = name.filter(|_| walk.bytes(node).starts_with(b"@")) else {
        return Next::Descend;
    };
    match walk.bytes(name) {
        b"doc" | b"moduledoc" | b"typedoc" | b"shortdoc" => {
            walk.comment(node);
            Next::Skip
        }
        known if KNOWN_ATTRIBUTES.contains(&known) => {
            walk.attribute(node);
            Next::Skip
        }
        _ => {
            walk.define_leaf(Draft::new(Kind::Constant, node, name));
            Next::Descend
        }
    }
}

/// Records a module name that is used as a value or as the receiver of a call.
fn module_name(walk: &mut Walk<'_>, node: Node<'_>) {
    if !walk.is_claimed(node) {
        let (owner, name) = split(walk, span(node));
        walk.builder.refer(ReferenceKind::Type, name, owner, line(node));
    }
}

/// Splits `Shop.Cart.Item` into `Shop.Cart` and `Item`.
fn split(walk: &Walk<'_>, whole: Span) -> (Option<Span>, Span) {
    let bytes = whole.of(walk.source);
    match bytes.iter().rposition(|byte| *byte == b'.') {
        Some(dot) => {
            let at = whole.start + dot as u32;
            (Some(Span { start: whole.start, end: at }), Span { start: at + 1, end: whole.end })
        }
        None => (None, whole),
    }
}

/// Returns the path of the file that, by convention, defines a module. The path has no extension: `shop/cart_item` for
/// `Shop.CartItem`.
fn file_path(module: &[u8]) -> String {
    let mut path = String::new();
    let mut follows_lower_case = false;
    for letter in String::from_utf8_lossy(module).chars() {
        match letter {
            '.' => path.push('/'),
            _ if letter.is_ascii_uppercase() && follows_lower_case => {
                path.push('_');
                path.push(letter.to_ascii_lowercase());
            }
            _ => path.push(letter.to_ascii_lowercase()),
        }
        follows_lower_case = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    path
}
