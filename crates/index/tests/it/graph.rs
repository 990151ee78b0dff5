//! Tests how references are resolved, and with which confidence.

use index::{EdgeKind, Node};

use crate::tree::{built, edges, node, tree};

#[test]
fn python_calls_follow_imports_not_namesakes() {
    let tree = tree(&[
        ("app/store.py", "def save(item):\n    return item\n"),
        ("app/other.py", "def save(item):\n    return None\n"),
        (
            "app/view.py",
            "from app.store import save\n\n\ndef handle(item):\n    return save(item)\n",
        ),
    ]);
    let view = built(tree.path());
    assert_eq!(edges(&view, "handle"), ["calls save"]);
    let handle = view.symbols_named("handle")[0];
    let edge = view.edges_from(Node::Symbol(handle)).next().unwrap();
    let Node::Symbol(target) = edge.to else { panic!("a call must reach a symbol") };
    assert_eq!(view.path(view.symbol(target).file), "app/store.py");
    assert!(edge.confidence > 0.9 && edge.line == 5, "{edge:?}");
    let file = view.file_by_path("app/view.py").unwrap();
    let imported: Vec<String> = view
        .edges_from(Node::File(file))
        .filter(|it| it.kind == EdgeKind::Imports)
        .map(|it| node(&view, it.to))
        .collect();
    assert_eq!(imported, ["app/store.py", "save"]);
}

/// Returns the files that a file refers to, as `path confidence`.
fn files_from(view: &index::View, path: &str) -> Vec<String> {
    let file = view.file_by_path(path).unwrap();
    let edges = view.edges_from(Node::File(file)).filter(|it| it.kind == EdgeKind::References);
    edges.map(|it| format!("{} {:.1}", node(view, it.to), it.confidence)).collect()
}

#[test]
fn code_is_linked_with_the_templates_that_it_names() {
    let tree = tree(&[
        ("shop/views.py", "def cart(request):\n    return render(request, 'shop/cart.html')\n"),
        (
            "shop/templates/shop/cart.html",
            "{% extends 'base.html' %}<script src=\"cart.js\"></script>",
        ),
        ("blog/templates/blog/cart.html", "<p id=\"other\">"),
        ("templates/base.html", "<link href=\"/static/main.css\">"),
        ("static/main.css", ".cart { color: red }"),
        ("static/cart.js", "function run() {}"),
    ]);
    let view = built(tree.path());
    assert_eq!(files_from(&view, "shop/views.py"), ["shop/templates/shop/cart.html 0.9"]);
    assert_eq!(
        files_from(&view, "shop/templates/shop/cart.html"),
        ["static/cart.js 0.9", "templates/base.html 0.9"]
    );
    assert_eq!(files_from(&view, "templates/base.html"), ["static/main.css 0.9"]);
}

#[test]
fn pages_are_linked_with_the_code_of_the_same_name() {
    let tree = tree(&[
        ("Shop/Cart.razor", "<CartList />\n@code {\n    void Run() {}\n}\n"),
        ("Shop/Cart.razor.cs", "class Cart { void Load() {} }"),
        ("Shop/CartList.razor", "<p>list</p>"),
        ("Controllers/HomeController.cs", "class HomeController {}"),
        ("Views/Home/Index.cshtml", "<p>home</p>"),
    ]);
    let view = built(tree.path());
    assert_eq!(files_from(&view, "Shop/Cart.razor.cs"), ["Shop/Cart.razor 0.7"]);
    assert_eq!(files_from(&view, "Shop/Cart.razor"), ["Shop/CartList.razor 0.9"]);
    assert_eq!(files_from(&view, "Controllers/HomeController.cs"), ["Views/Home/Index.cshtml 0.7"]);
    assert_eq!(view.symbols_named("Run").len(), 1);
}

#[test]
fn modules_of_dart_and_elixir_are_found_by_their_paths() {
    let tree = tree(&[
        ("lib/models/item.dart", "class Item {\n  int price() => 1;\n}\nint tax() => 2;\n"),
        ("lib/cart.dart", "import 'package:shop/models/item.dart';\nint total() => tax();\n"),
        ("lib/shop/prices.ex", "defmodule Shop.Prices do\n  def price_of(x), do: x\nend\n"),
        (
            "lib/shop/cart.ex",
            "defmodule Shop.Cart do\n  alias Shop.Prices\n\n  def sum(x), do: Prices.price_of(x)\nend\n",
        ),
    ]);
    let view = built(tree.path());
    assert_eq!(edges(&view, "total"), ["calls tax"]);
    assert!(
        edges(&view, "Shop.Cart.sum").contains(&"calls Shop.Prices.price_of".to_owned()),
        "{:?}",
        edges(&view, "Shop.Cart.sum")
    );
}

#[test]
fn a_name_alone_is_less_sure_than_an_import() {
    let tree = tree(&[
        ("a.py", "class Engine:\n    def ignite(self):\n        pass\n"),
        ("b.py", "def drive(thing):\n    thing.ignite()\n"),
    ]);
    let view = built(tree.path());
    let ignite = view.symbols_named("ignite")[0];
    let edge = view.edges_into(Node::Symbol(ignite)).next().unwrap();
    assert_eq!(node(&view, edge.from), "drive");
    assert!(edge.confidence < 0.6, "{edge:?}");
}

#[test]
fn methods_and_inheritance_are_resolved_within_a_type() {
    let tree = tree(&[
        ("base.py", "class Base:\n    def run(self):\n        pass\n"),
        (
            "child.py",
            "from base import Base\n\n\nclass Child(Base):\n    def start(self):\n        self.step()\n\n    def step(self):\n        pass\n",
        ),
        ("noise.py", "class Noise:\n    def step(self):\n        pass\n"),
    ]);
    let view = built(tree.path());
    assert_eq!(edges(&view, "Child.start"), ["calls Child.step"]);
    assert!(
        edges(&view, "Child").contains(&"inherits Base".to_owned()),
        "{:?}",
        edges(&view, "Child")
    );
}

#[test]
fn rust_paths_lead_to_their_module() {
    let tree = tree(&[
        (
            "src/lib.rs",
            "mod store;\nmod noise;\nuse crate::store::open;\n\npub fn start() {\n    open();\n}\n",
        ),
        ("src/store.rs", "pub fn open() {}\n"),
        ("src/noise.rs", "pub fn open() {}\n"),
    ]);
    let view = built(tree.path());
    let start = view.symbols_named("start")[0];
    let targets: Vec<String> = view
        .edges_from(Node::Symbol(start))
        .map(|edge| match edge.to {
            Node::Symbol(symbol) => view.path(view.file_of(symbol)).to_owned(),
            Node::File(file) => view.path(file).to_owned(),
        })
        .collect();
    assert_eq!(targets, ["src/store.rs"]);
}

#[test]
fn a_path_into_another_crate_needs_no_import() {
    let tree = tree(&[
        ("crates/kernel/src/lib.rs", "pub fn brief() {\n    toolcall::call_all();\n}\n"),
        ("crates/toolcall/src/lib.rs", "mod batch;\npub use batch::call_all;\n"),
        ("crates/toolcall/src/batch.rs", "pub fn call_all() {}\n"),
        ("crates/other/src/lib.rs", "pub fn call_all() {}\n"),
    ]);
    let view = built(tree.path());
    assert_eq!(edges(&view, "brief"), ["calls call_all"]);
    let called: Vec<String> = view
        .symbols_named("call_all")
        .into_iter()
        .filter(|id| view.edges_into(Node::Symbol(*id)).next().is_some())
        .map(|id| view.path(view.symbol(id).file).to_owned())
        .collect();
    assert_eq!(called, ["crates/toolcall/src/batch.rs"]);
}

#[test]
fn names_from_outside_the_tree_have_no_edges() {
    let tree = tree(&[
        ("a.py", "from requests import get\n\n\ndef fetch():\n    return get('x')\n"),
        ("b.py", "def get(key):\n    return key\n"),
    ]);
    let view = built(tree.path());
    assert_eq!(edges(&view, "fetch"), Vec::<String>::new());
}

#[test]
fn test_files_have_edges_to_the_files_they_test() {
    let tree = tree(&[
        ("shop/cart.py", "def total(items):\n    return sum(items)\n"),
        (
            "tests/test_cart.py",
            "from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
        ),
    ]);
    let view = built(tree.path());
    let cart = view.file_by_path("shop/cart.py").unwrap();
    let tests: Vec<String> = view
        .edges_into(Node::File(cart))
        .filter(|edge| edge.kind == EdgeKind::Tests)
        .map(|edge| node(&view, edge.from))
        .collect();
    assert_eq!(tests, ["tests/test_cart.py"]);
}

#[test]
fn central_files_rank_higher() {
    let tree = tree(&[
        ("core.py", "def shared():\n    pass\n"),
        ("a.py", "from core import shared\n\n\ndef a():\n    shared()\n"),
        ("b.py", "from core import shared\n\n\ndef b():\n    shared()\n"),
    ]);
    let view = built(tree.path());
    let rank = |path: &str| view.file(view.file_by_path(path).unwrap()).rank;
    assert!(rank("core.py") > 1.5 * rank("a.py"), "{} {}", rank("core.py"), rank("a.py"));
    let mean: f32 = view.files().map(|id| view.file(id).rank).sum::<f32>() / 3.0;
    assert!((mean - 1.0).abs() < 0.01, "{mean}");
}
