//! Checks that the token readers give the same outlines as the grammars, and that unsupported source is read with the
//! grammar.

use syntax::{Language, Outliner, ProblemKind};

use crate::render::{NO_LIMITS, outline, render, render_by_grammar};

const SAMPLES: [(Language, &str); 7] = [
    (Language::Rust, include_str!("fixtures/sample.rs")),
    (Language::Python, include_str!("fixtures/sample.py")),
    (Language::Go, include_str!("fixtures/sample.go")),
    (Language::Java, include_str!("fixtures/sample.java")),
    (Language::Php, include_str!("fixtures/sample.php")),
    (Language::C, include_str!("fixtures/sample.c")),
    (Language::Cpp, include_str!("fixtures/sample.cpp")),
];

/// Returns the lines that only one of the two outlines contains.
fn differences(language: Language, source: &str) -> Vec<String> {
    let tokens = render(language, source.as_bytes());
    let grammar = render_by_grammar(language, source.as_bytes());
    let only = |sign: char, these: &str, those: &str| -> Vec<String> {
        let these = these.lines().filter(|line| !those.lines().any(|other| other == *line));
        these.map(|line| format!("{sign} {line}")).collect()
    };
    [only('-', &grammar, &tokens), only('+', &tokens, &grammar)].concat()
}

#[test]
fn samples_have_the_same_outline_with_both_readers() {
    for (language, source) in SAMPLES {
        let name = format!("{}_differences", language.name());
        insta::assert_snapshot!(name, differences(language, source).join("\n"));
    }
}

#[test]
fn definitions_are_the_same_with_both_readers() {
    for (language, source) in SAMPLES {
        let by_tokens = outline(language, source.as_bytes(), NO_LIMITS);
        let by_grammar = Outliner::default().outline(language, source.as_bytes(), NO_LIMITS);
        assert_eq!(by_tokens.definitions, by_grammar.definitions, "{}", language.name());
    }
}

#[test]
fn unsupported_text_is_read_with_the_grammar() {
    for (language, source) in [
        (Language::Rust, "fn a() { ) }\nfn b() {}\n"),
        (Language::Rust, "fn a() {}\nfn b() {\n"),
        (Language::Rust, "fn a() {}\nconst B: &str = \"no end;\n"),
        (Language::Rust, "fn a() {} /* no end"),
        (Language::Python, "def a():\n    return (1\n\ndef b():\n    pass\n"),
        (Language::Python, "def a():\n    return 'no end\n\ndef b():\n    pass\n"),
        (Language::Python, "a = 'no end\\"),
        (Language::Python, "from a import (\n    b(c):\n    d = 1\n    e = 2\n"),
        (Language::Go, "package a\n\nfunc b() { ( }\n\nfunc c() {}\n"),
        (Language::Go, "package a\n\nvar b = \"no end\nfunc c() {}\n"),
        (Language::Java, "class A { void b() { ( } }\nclass C {}\n"),
        (Language::Java, "class A { int = 3; }\n"),
        (Language::Php, "<?php\nfunction a() { ( }\nfunction b() {}\n"),
        (Language::Php, "<?php\n$a = 'no end;\nfunction b() {}\n"),
        (Language::Php, "<?php\n$a = <<<END\nno end\n"),
        (Language::C, "int a(void) { ( }\nint b(void) {}\n"),
        (Language::Cpp, "class A { void b() { ( } };\nclass C {};\n"),
        (Language::Python, "def (:\n    pass\n\ndef b(): pass\n"),
    ] {
        let bytes = source.as_bytes();
        assert_eq!(render(language, bytes), render_by_grammar(language, bytes), "{source}");
        let outline = outline(language, bytes, NO_LIMITS);
        assert_eq!(outline.problems.first().map(|it| it.kind), Some(ProblemKind::Syntax));
    }
}

fn check(language: Language, source: &str, expected: &str) {
    let rendered = render(language, source.as_bytes());
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|it| !it.is_empty()).collect()
    };
    assert_eq!(lines(&rendered)[1..], lines(expected)[..], "{source}");
}

#[test]
fn rust_quotes_are_read_correctly() {
    check(
        Language::Rust,
        r###"fn a<'a>(x: &'a str) { b('"', '\'', b'{', '\u{1F600}', r#"}"{"#, "\"}", 'x: loop {}) }"###,
        r###"
        1-1 function a [2 1 1] | fn a<'a>(x: &'a str)
        1 call b in a
        1 string }"{
        1 string \"}
        "###,
    );
}

#[test]
fn rust_angle_brackets_are_read_correctly() {
    check(
        Language::Rust,
        "struct Some1<T> { map: Map<K, Vec<T>>, f: fn(A) -> B, n: [u8; 4] }\nimpl<T: Into<U>> From<Some1<T>> for a::Other<T> where T: X {}\nfn f() -> bool { a < b && c > d }\n",
        "
        1-1 struct Some1 | struct Some1<T>
        1-1 field Some1.map | map: Map<K, Vec<T>>
        1-1 field Some1.f | f: fn(A) -> B
        1-1 field Some1.n | n: [u8; 4]
        2-2 extension Other | impl<T: Into<U>> From<Some1<T>> for a::Other<T> where T: X
        3-3 function f [2 1 0] | fn f() -> bool
        1 type Map in Some1.map
        1 type Vec in Some1.map
        2 type Into in Other
        2 inherit From in Other
        2 type Some1 in Other
        ",
    );
}

#[test]
fn values_of_rust_variants_are_read_correctly() {
    check(
        Language::Rust,
        "enum Flag { One = 1 << 0, Two = 1 << 1, Many(Vec<(Key, Value)>), Last { a: Map<K, V>, b: u8 } }\n",
        "
        1-1 enum Flag | enum Flag
        1-1 variant Flag.One | One = 1 << 0
        1-1 variant Flag.Two | Two = 1 << 1
        1-1 variant Flag.Many | Many
        1-1 variant Flag.Last | Last
        1-1 field Flag.Last.a | a: Map<K, V>
        1-1 field Flag.Last.b | b: u8
        1 type Vec in Flag.Many
        1 type Key in Flag.Many
        1 type Value in Flag.Many
        1 type Map in Flag.Last.a
        ",
    );
}

#[test]
fn macros_of_rust_are_read_as_code() {
    check(
        Language::Rust,
        "async fn a() {\n    tokio::select! {\n        x = b() => { if x { c() } }\n    }\n}\nthread_local! { static D: u8 = e(); }\n",
        "
        1-5 function a [2 1 1] | async fn a()
        6-6 variable D | static D: u8 = e()
        2 macro select of tokio in a
        3 call b in a
        3 call c in a
        6 macro thread_local
        6 call e in D
        ",
    );
}

#[test]
fn formatted_strings_are_read() {
    check(
        Language::Python,
        "def a(b):\n    return f\"{b.c(d)!r:>{e}} {{x}} {f'{g()}'}\" + f'{h[\"i\"]}'\n",
        "
        1-2 function a [1 0 0] | def a(b)
        2 call c of b in a
        2 string {b.c(d)!r:>{e}} {{x}} {f'{g()}'}
        2 string {h[\"i\"]}
        ",
    );
}

#[test]
fn lines_of_python_end_where_they_should() {
    check(
        Language::Python,
        "x = (1,\n     a())\ny = 1 + \\\n    b()\nif x: z = 1; c()\nclass D: pass\nclass E(F[G], H()): e: int = 1\n",
        "
        1-2 variable x | x = (1,
        3-4 variable y | y = 1 + \\
        5-5 variable z | z = 1
        6-6 class D | class D
        7-7 class E | class E(F[G], H())
        7-7 field E.e | e: int = 1
        2 call a in x
        4 call b in y
        5 use x
        5 call c
        7 call H in E
        7 type int in E.e
        ",
    );
}

#[test]
fn go_literals_are_not_blocks() {
    check(
        Language::Go,
        "package a\n\nfunc b() {\n\tfor _, x := range []struct{ n int }{{1}, {2}} {\n\t\tif x.n > 0 { c(func() error { return nil }) }\n\t}\n}\n",
        "
        3-7 function b [3 3 3] | func b()
        4-4 field b.n | n int
        4 type int in b
        5 call c in b
        5 type error in b
        ",
    );
}

#[test]
fn empty_statements_of_go_are_skipped() {
    check(
        Language::Go,
        "package a\nimport (\"g\"; ; \"h\")\nvar ( i int; ; j int )\ntype B struct { c int; ; d int }\ntype E interface { ; F() }\n",
        "
        3-3 variable i | i int
        3-3 variable j | j int
        4-4 struct B | B struct
        4-4 field B.c | c int
        4-4 field B.d | d int
        5-5 interface E | E interface
        5-5 method E.F | F()
        3 type int
        3 type int
        4 type int in B
        4 type int in B
        2 import g
        2 import h
        ",
    );
}

#[test]
fn java_members_are_distinguished() {
    check(
        Language::Java,
        "class A {\n  static { b(); }\n  int @N [] c = {1, 2}, d[];\n  E<F> g = new H<>() { void i() { j(k -> l ? m : n); } }.o();\n  @P(Q.class) <R extends S> A(R r) throws T { do { u(); } while (v); }\n  int w() default {};\n}\n",
        "
        1-7 class A | class A
        3-3 field A.c | int @N [] c = {1, 2}, d[]
        3-3 field A.d | int @N [] c = {1, 2}, d[]
        4-4 field A.g | E<F> g = new H<>() { void i() { j(k -> l ? m : n); } }.o()
        4-4 method A.i [2 2 2] | void i()
        5-5 constructor A.A [2 1 1] | @P(Q.class) <R extends S> A(R r) throws T
        6-6 method A.w | int w() default {}
        2 call b in A
        4 call H in A
        4 call j in A.i
        4 call o of  in A
        5 call u in A.A
        ",
    );
}

#[test]
fn branches_of_the_preprocessor_with_other_brackets_are_left_out() {
    check(
        Language::C,
        "#ifdef A\nint f(int a) {\n    if (a) {\n#else\nint f(void) {\n    {\n#endif\n        g();\n    }\n}\n#if 0\nit's prose {\n#else\nint h(void);\n#endif\n#if B\nint i(void) { return 1; }\n#else\nint i(void) { return 2; }\n#endif\n",
        "
        2-10 function f [2 1 1] | int f(int a)
        14-14 function h | int h(void)
        17-17 function i [1 0 0] | int i(void)
        19-19 function i [1 0 0] | int i(void)
        8 call g in f
        ",
    );
}

#[test]
fn functions_with_old_parameter_lists_and_macros_are_read() {
    check(
        Language::C,
        "int add(a, b)\n    int a;\n    char *b;\n{ return a; }\nDECLARE(list)\nAPI size_t push(struct ring *it, int (*callback)(int)) { return callback(1); }\nint (*handler)(int) = 0, other;\n",
        "
        1-4 function add [1 0 0] | int add(a, b) int a; char *b
        6-6 function push [1 0 0] | API size_t push(struct ring *it, int (*callback)(int))
        7-7 variable handler | int (*handler)(int) = 0, other
        7-7 variable other | int (*handler)(int) = 0, other
        5 call DECLARE
        6 type API in push
        6 type ring in push
        6 call callback in push
        ",
    );
}

#[test]
fn pages_around_php_and_heredocs_are_read() {
    check(
        Language::Php,
        "<p>it's {</p>\n<?php if ($a): // no ?>\n<b>(</b>\n<?php endif;\nfunction f() {\n    return <<<END\n      text {$a} }\n      END . g();\n}\n?>\n<i>}</i>\n",
        "
        5-9 function f [1 0 0] | function f()
        8 call g in f
        7 string text {$a} }
        2 comment // no
        ",
    );
}

#[test]
fn members_of_anonymous_classes_are_read() {
    check(
        Language::Php,
        "<?php\nclass A {\n    #[Test]\n    public function b(private int $c = Dd::Ee) {\n        return new class($c) extends Ff { use Gg; public ?H $h = null; function i(): static {} };\n    }\n}\n",
        "
        2-7 class A | class A
        3-6 test A.b [1 0 0] | #[Test] public function b(private int $c = Dd::Ee)
        4-4 field A.c | private int $c = Dd::Ee
        5-5 field A.b.h | public ?H $h = null
        5-5 method A.b.i [1 0 0] | function i(): static
        3 type Test in A.b
        4 use Ee of Dd in A.b
        5 inherit Ff in A.b
        5 inherit Gg in A.b
        5 type static in A.b.i
        ",
    );
}
