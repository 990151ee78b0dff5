//! Conventions of languages that the rules of the grammars and the token readers share: which definitions are tests, and
//! which kind a definition has because of its name.

use crate::definition::Kind;

/// Returns whether a name starts with an upper-case letter and contains a lower-case letter, such as `HttpServer`.
pub(crate) fn is_camel_case(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_uppercase) && !is_upper_case(name)
}

/// Returns whether a name contains no lower-case letter. In many languages, such a name denotes a constant.
pub(crate) fn is_upper_case(name: &[u8]) -> bool {
    !name.iter().any(u8::is_ascii_lowercase)
}

/// Returns whether a method's annotations or attributes mark it as a test.
pub(crate) fn has_test_annotation(modifiers: &[u8]) -> bool {
    #[rustfmt::skip]
    const MARKS: [&[u8]; 8] = [
        b"Test", b"ParameterizedTest", b"RepeatedTest", b"TestCase", b"TestMethod", b"DataTestMethod", b"Fact",
        b"Theory",
    ];
    let words = modifiers.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    words.into_iter().any(|word| MARKS.contains(&word))
}

/// Returns whether a Rust attribute marks a function as a test. `name` is the last part of the attribute's path.
pub(crate) fn is_rust_test_attribute(name: &[u8]) -> bool {
    matches!(name, b"test" | b"rstest" | b"test_case" | b"quickcheck" | b"wasm_bindgen_test")
}

/// Returns whether a Go function with this name and these parameters is a test.
pub(crate) fn is_go_test(name: &[u8], parameters: &[u8]) -> bool {
    let prefixes: [&[u8]; 3] = [b"Test", b"Benchmark", b"Fuzz"];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
        && parameters.windows(8).any(|it| it == b"testing.")
}

/// Returns the kind of a Python function or method. A test is named `test_login`, or `testLogin` if it is a method.
pub(crate) fn python_function_kind(name: &[u8], is_method: bool) -> Kind {
    let rest = name.strip_prefix(b"test").unwrap_or_default();
    let is_test =
        rest.starts_with(b"_") || is_method && rest.first().is_some_and(u8::is_ascii_uppercase);
    let is_constructor = is_method && name == b"__init__";
    if is_constructor { Kind::Constructor } else { Kind::Function.or_test(is_test) }
}

/// Returns the kind of a name that a Python module or class assigns.
pub(crate) fn python_variable_kind(name: &[u8], enclosing: Option<Kind>) -> Kind {
    match enclosing {
        Some(Kind::Class) => Kind::Field,
        _ if is_upper_case(name) => Kind::Constant,
        _ => Kind::Variable,
    }
}

/// Returns the kind of a Java field.
pub(crate) fn java_field_kind(name: &[u8]) -> Kind {
    if is_upper_case(name) { Kind::Constant } else { Kind::Field }
}

/// Returns the kind of a PHP method.
pub(crate) fn php_method_kind(name: &[u8], attributes: &[u8]) -> Kind {
    let kind = if name == b"__construct" { Kind::Constructor } else { Kind::Method };
    kind.or_test(name.starts_with(b"test") || has_test_annotation(attributes))
}

/// Returns whether a macro of this name starts a test in C++, as in `TEST(Suite, Case) { … }`.
pub(crate) fn is_cpp_test_macro(name: &[u8]) -> bool {
    matches!(
        name,
        b"TEST"
            | b"TEST_F"
            | b"TEST_P"
            | b"TYPED_TEST"
            | b"TYPED_TEST_P"
            | b"BOOST_FIXTURE_TEST_CASE"
    )
}

/// Returns the kind of a C or C++ function. `class` is the class that it belongs to, such as `ns::Class`. A constructor
/// has the name of its class.
pub(crate) fn cpp_function_kind(name: &[u8], class: Option<&[u8]>) -> Kind {
    match class {
        Some(class) if class.rsplit(|byte| *byte == b':').next() == Some(name) => Kind::Constructor,
        Some(_) => Kind::Method,
        None => Kind::Function,
    }
}

/// Returns the kind of a variable that is declared outside functions and types. `declaration` is the text of its
/// declaration.
pub(crate) fn c_variable_kind(declaration: &[u8]) -> Kind {
    let is_constant = declaration.starts_with(b"const") || declaration.starts_with(b"static const");
    if is_constant { Kind::Constant } else { Kind::Variable }
}
