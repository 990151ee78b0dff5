use super::{TraceFrame, plain_function, trace_frames};

fn check(text: &str, expected: &[(&str, u32, &str)]) {
    let shown: Vec<(String, u32, String)> = trace_frames(text)
        .into_iter()
        .map(|TraceFrame { path, line, function }| {
            (path.unwrap_or_default(), line.unwrap_or(0), function.unwrap_or_default())
        })
        .collect();
    let shown: Vec<(&str, u32, &str)> =
        shown.iter().map(|(path, line, name)| (path.as_str(), *line, name.as_str())).collect();
    assert_eq!(shown, expected);
}

#[test]
fn python_writes_the_innermost_frame_last() {
    check(
        "Traceback (most recent call last):\n  File \"/srv/my app/manage.py\", line 8, in <module>\n    main()\n  File \"/usr/lib/python3/site-packages/app/db/query.py\", line 42, in execute\n    raise ValueError('x')\nValueError: x",
        &[
            ("/usr/lib/python3/site-packages/app/db/query.py", 42, "execute"),
            ("/srv/my app/manage.py", 8, ""),
        ],
    );
}

#[test]
fn rust_writes_the_function_before_its_location() {
    check(
        "thread 'main' panicked at src/store.rs:12:5:\nboom\nstack backtrace:\n   0: rust_begin_unwind\n   1: app::store::open\n             at ./src/store.rs:12:5\n   2: app::main\n",
        &[("src/store.rs", 12, ""), ("./src/store.rs", 12, "app::store::open")],
    );
    check(
        "error[E0308]: mismatched types\n  --> crates/a/src/lib.rs:3:14\n",
        &[("crates/a/src/lib.rs", 3, "")],
    );
}

#[test]
fn javascript_with_and_without_a_function() {
    check(
        "TypeError: x is undefined\n    at Object.render (/app/src/View.tsx:10:3)\n    at async webpack:///./src/index.js:4:1\n    at new Store (file:///app/store.mjs:7:9)",
        &[
            ("/app/src/View.tsx", 10, "Object.render"),
            ("/./src/index.js", 4, ""),
            ("/app/store.mjs", 7, "Store"),
        ],
    );
}

#[test]
fn java_paths_include_the_package() {
    check(
        "java.lang.IllegalStateException: no\n\tat com.app.store.DiskStore.open(DiskStore.java:31)\n\tat com.app.Main$Inner.run(Main.java:9)\n\tat java.base/java.lang.Thread.run(Thread.java:833)",
        &[
            ("com/app/store/DiskStore.java", 31, "com.app.store.DiskStore.open"),
            ("com/app/Main.java", 9, "com.app.Main$Inner.run"),
            ("java/lang/Thread.java", 833, "java.lang.Thread.run"),
        ],
    );
}

#[test]
fn go_writes_the_function_before_its_location() {
    check(
        "panic: boom\n\ngoroutine 1 [running]:\ngithub.com/a/b/server.(*Server).Run(0xc0000b2000)\n\t/home/x/b/server/server.go:55 +0x1d\nmain.main()\n\t/home/x/b/main.go:10 +0x20",
        &[
            ("/home/x/b/server/server.go", 55, "server.Server.Run"),
            ("/home/x/b/main.go", 10, "main.main"),
        ],
    );
}

#[test]
fn c_sharp_ruby_php_and_c() {
    check(
        "   at App.Store.Open(String path) in C:\\src\\App\\Store.cs:line 17",
        &[("C:\\src\\App\\Store.cs", 17, "App.Store.Open")],
    );
    check(
        "app/models/user.rb:12:in `find_by': nope (ArgumentError)",
        &[("app/models/user.rb", 12, "find_by")],
    );
    check(
        "#0 /var/www/src/Store.php(42): App\\Store->open('x')",
        &[("/var/www/src/Store.php", 42, "App\\Store->open")],
    );
    check("PHP Fatal error: x in /var/www/a.php on line 3", &[("/var/www/a.php", 3, "")]);
    check(
        "#1  0x00005555 in parse_line (s=0x1) at src/parse.c:88",
        &[("src/parse.c", 88, "parse_line")],
    );
}

#[test]
fn text_without_line_numbers_has_no_frames() {
    check("The file config.py is missing, see a.rs and version 1.2.3", &[]);
    check("ratio 3:4 in node.js: 12", &[]);
}

#[test]
fn plain_functions_have_no_closures_or_owners() {
    assert_eq!(plain_function("app::store::open::{{closure}}"), "open");
    assert_eq!(plain_function("server.Server.Run"), "Run");
    assert_eq!(plain_function("App\\Store->open"), "open");
    assert_eq!(plain_function("com.app.Main$Inner.run"), "run");
}

proptest::proptest! {
    #[test]
    fn any_text_is_accepted(text in "(\\PC|[\\n:(). ]|\\.py|\\.rs:1|at | in ){0,60}") {
        assert!(trace_frames(&text).len() <= 60);
    }
}
