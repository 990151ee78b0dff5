//! `adjutant search --repos` and `--workspace`: one answer from several repositories.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::Value;
use testkit::{Finished, Launch, Repository};

use crate::fixture::ADJUTANT;

struct Workspace {
    folder: tempfile::TempDir,
    _repositories: Vec<Repository>,
}

const API: &str = "def enforce_zebra_budget(limit):\n    return limit\n";
const WEB: &str =
    "// The zebra budget of a page.\nexport function showZebraBudget() {\n  return 1;\n}\n";

/// Two repositories, `api` and `web`, side by side.
fn workspace() -> Workspace {
    let folder = tempfile::tempdir().unwrap();
    let api = Repository::builder()
        .file("src/budget.py", API)
        .file(".env", "ZEBRA_BUDGET_SECRET=1\n")
        .file("src/other.py", "def unrelated():\n    pass\n");
    let web = Repository::builder()
        .file("lib/page.ts", WEB)
        .file("lib/other.ts", "export const x = 1;\n");
    let mut repositories = Vec::new();
    for (name, builder) in [("api", api), ("web", web)] {
        let repository = builder.commit("Add the budget").build();
        let to = folder.path().join(name);
        repository.git(&[
            "clone",
            "--quiet",
            repository.path().to_str().unwrap(),
            to.to_str().unwrap(),
        ]);
        repositories.push(repository);
    }
    Workspace { folder, _repositories: repositories }
}

impl Workspace {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        let launch = Launch::new(ADJUTANT, self.folder.path()).env("HOME", self.folder.path());
        launch.env("ADJUTANT_CACHE_DIR", self.path("cache")).arguments(arguments).run()
    }

    #[track_caller]
    fn rows(&self, arguments: &[&str]) -> Vec<Value> {
        let finished = self.run(arguments).expect_success();
        serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
    }

    #[track_caller]
    fn expect_error(&self, arguments: &[&str], message: &str) {
        let finished = self.run(arguments);
        assert_eq!(finished.exit_code, Some(20), "{finished:#?}");
        let is_explained = finished.stderr.contains(message) && finished.stderr.contains("hint: ");
        assert!(is_explained && finished.stdout.is_empty(), "{message}: {finished:#?}");
    }
}

#[test]
fn one_answer_has_the_paths_of_each_repository() {
    let place = workspace();
    let table = place.run(&["search", "--repos", "api", "web", "zebra budget"]).expect_success();
    assert!(table.stdout.contains("api:src/budget.py:1"), "{table:#?}");
    assert!(table.stdout.contains("web:lib/page.ts:2"), "{table:#?}");
    let rows = place.rows(&["search", "--repos", "api", "web", "--json", "--", "zebra", "budget"]);
    let places: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| (row["repository"].as_str().unwrap(), row["path"].as_str().unwrap()))
        .collect();
    assert!(
        places.contains(&("api", "src/budget.py")) && places.contains(&("web", "lib/page.ts")),
        "{places:?}"
    );
    let confidences: Vec<f64> =
        rows.iter().map(|row| row["confidence"].as_f64().unwrap()).collect();
    assert!(confidences.is_sorted_by(|a, b| a >= b), "{confidences:?}");
    // Each repository has the same ranking as in a search of that repository alone.
    for (name, path) in places {
        let alone = place.rows(&["search", "-C", name, "--json", "zebra budget"]);
        let row = alone.iter().find(|row| row["path"] == path).unwrap();
        let merged =
            rows.iter().find(|row| row["path"] == path && row["repository"] == name).unwrap();
        assert_eq!((&row["score"], &row["confidence"]), (&merged["score"], &merged["confidence"]));
        assert!(row.get("repository").is_none(), "{row}");
    }
    let files =
        place.run(&["search", "zebra budget", "-n", "1", "--files", "--repos", "api", "web"]);
    assert_eq!(files.expect_success().stdout.lines().count(), 1);
}

#[test]
fn a_workspace_file_names_repositories_relative_to_itself() {
    let place = workspace();
    fs::create_dir(place.path("settings")).unwrap();
    let file = place.path("settings/adjutant.workspace.toml");
    fs::write(&file, "roots = [\"../api\", \"../web/lib\"]\n").unwrap();
    let name = file.to_str().unwrap();
    let found = place.run(&["search", "--workspace", name, "zebra budget"]).expect_success();
    assert!(
        found.stdout.contains("api:src/budget.py") && found.stdout.contains("web:lib/page.ts"),
        "{found:#?}"
    );
    fs::write(&file, "roots = [\"../api\", \"../api/src\"]\n").unwrap();
    place.expect_error(&["search", "--workspace", name, "zebra"], "are the same repository");
    place.expect_error(&["search", "--workspace", "nowhere.toml", "zebra"], "nowhere.toml");
    place.expect_error(&["search", "zebra", "--repos", "missing", "api"], "missing");
}

#[test]
fn a50_the_rules_for_files_hold_in_each_repository() {
    let place = workspace();
    fs::write(place.path("outside.py"), "def zebra_budget_outside():\n    pass\n").unwrap();
    symlink(place.path("outside.py"), place.path("web/lib/outside.py")).unwrap();
    fs::write(place.path("web/id_rsa"), "zebra budget\n").unwrap();
    fs::write(place.path("web/.gitignore"), "build/\n").unwrap();
    fs::create_dir(place.path("web/build")).unwrap();
    fs::write(place.path("web/build/page.ts"), WEB).unwrap();
    let found = place.run(&["search", "--repos", "api", "web", "zebra budget"]).expect_success();
    assert!(found.stdout.contains("web:lib/page.ts"), "{found:#?}");
    for hidden in ["outside", "id_rsa", ".env", "build/"] {
        assert!(!found.stdout.contains(hidden), "{hidden}: {found:#?}");
    }
    // The environment variable for the root does not apply to all repositories.
    let narrowed = Launch::new(ADJUTANT, place.folder.path())
        .env("HOME", place.folder.path())
        .env("ADJUTANT_CACHE_DIR", place.path("cache"))
        .env("CI_AUTO_TOOLS_REPO_ROOT", place.path("api"))
        .arguments(["search", "--repos", "api", "web", "zebra budget"]);
    assert_eq!(narrowed.run().expect_success().stdout, found.stdout);
}
