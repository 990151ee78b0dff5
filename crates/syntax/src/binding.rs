//! Types for bindings, which are statements from which the types of variables, members and functions are derived.

use crate::definition::DefinitionId;
use crate::span::Span;

/// A statement from which the type of a name can be derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub kind: BindingKind,
    /// The definition that contains the statement, usually a function. For a returned value, a yielded value or a
    /// return type, this is the function.
    pub scope: Option<DefinitionId>,
    /// The name of the variable, parameter or member. Empty for kinds that describe a function.
    pub name: Span,
    /// The expression or the type in the statement. An expression is stored as a chain, in the form that
    /// [`crate::read_chain`] returns, for example `app.client()`. The string is empty if the expression is not a chain:
    /// the name is known to be local, but its type is unknown.
    pub value: String,
}

/// The kind of a [`Binding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BindingKind {
    /// `name = value`
    Value,
    /// `name: Type`, also for parameters
    Annotation,
    /// A parameter without a type.
    Parameter,
    /// `for name in value`
    Element,
    /// `with value as name`
    Entered,
    /// `self.name = value`
    MemberValue,
    /// `self.name: Type`
    MemberAnnotation,
    /// `return value`
    Returned,
    /// `yield value`
    Yielded,
    /// The return type of a function.
    ReturnType,
    /// A supertype of the type that `scope` refers to. The value is a chain, for example `models.Model`.
    Base,
}

impl BindingKind {
    /// All kinds. The index of a kind is the code under which it is stored.
    pub const ALL: [Self; 11] = [
        Self::Value,
        Self::Annotation,
        Self::Parameter,
        Self::Element,
        Self::Entered,
        Self::MemberValue,
        Self::MemberAnnotation,
        Self::Returned,
        Self::Yielded,
        Self::ReturnType,
        Self::Base,
    ];
}

/// The name of a binding that describes a function.
pub(crate) const NO_NAME: Span = Span { start: 0, end: 0 };

/// The maximum length of a recorded type in bytes. Longer types are not recorded.
pub(crate) const MAX_TYPE: usize = 120;

/// Returns a type without white space and quotation marks, or an empty string if it is too long.
pub(crate) fn compact_type(text: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(text) else { return String::new() };
    if text.len() > MAX_TYPE {
        return String::new();
    }
    text.chars().filter(|it| !it.is_whitespace() && !matches!(it, '"' | '\'')).collect()
}
