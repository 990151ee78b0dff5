//! Runs all cases on each kind of store, and the cases that are specific to one kind.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use queue::{RunResult, StoreLocation, TaskFilter, TaskState, TaskStore};
use testkit::PostgresServer;

use crate::{Place, add, cases, claim, new_task, report};

#[test]
fn the_suite_passes_on_sqlite() {
    for (name, case) in cases() {
        println!("case: {name}");
        let folder = tempfile::tempdir().unwrap();
        case(&Place::at(folder.path().join("state/queue.db").to_str().unwrap()));
    }
}

#[test]
fn the_suite_passes_on_postgresql() {
    let server = PostgresServer::start();
    for (number, (name, case)) in cases().into_iter().enumerate() {
        println!("case: {name}");
        case(&in_schema(&server, &format!("case{number}")));
    }
}

fn in_schema(server: &PostgresServer, schema: &str) -> Place {
    let mut client = postgres::Client::connect(&server.url(), postgres::NoTls).unwrap();
    client.batch_execute(&format!("CREATE SCHEMA {schema}")).unwrap();
    Place::at(&format!("{}&options=-csearch_path%3D{schema}", server.url()))
}

#[test]
fn only_the_user_can_read_a_sqlite_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/queue.db");
    let place = Place::at(path.to_str().unwrap());
    let mut store = place.open();
    add(&mut store, &new_task("secret"));
    for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", entry.path().display());
    }
}

#[test]
fn a_restart_of_postgresql_loses_nothing() {
    let mut server = PostgresServer::start();
    let place = Place::at(&server.url());
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    server.restart();
    let claimed = claim(&mut store);
    assert_eq!(claimed.task.id, id);
    server.stop();
    let finished = std::thread::scope(|scope| {
        let report = report(RunResult::Finished);
        let writer = scope.spawn(move || store.finish(&claimed.lease, &report).unwrap());
        server.run();
        writer.join().unwrap()
    });
    assert!(finished);
    let mut store = place.open();
    assert_eq!(store.task(&id).unwrap().state, TaskState::Finished);
    assert_eq!(store.tasks(&TaskFilter::default()).unwrap().len(), 1);
}

#[test]
fn tables_of_an_older_version_are_brought_up_to_date() {
    let server = PostgresServer::start();
    let place = Place::at(&server.url());
    let id = add(&mut place.open(), &new_task("one"));
    let mut owner = postgres::Client::connect(&server.url(), postgres::NoTls).unwrap();
    let older = "ALTER TABLE tasks DROP COLUMN head, DROP COLUMN changes; \
        DELETE FROM adjutant_queue_schema WHERE version > 1";
    owner.batch_execute(older).unwrap();
    let words = include_str!("../fixtures/request-0.2.0.json");
    owner.execute("UPDATE tasks SET request = $1", &[&words]).unwrap();
    let task = place.open().task(&id).unwrap();
    assert_eq!((task.title.as_str(), task.request.run.max_tokens), ("one", Some(9000)));
    let row = owner.query_one("SELECT max(version) FROM adjutant_queue_schema", &[]).unwrap();
    assert_eq!(row.get::<_, i64>(0), 4);
}

#[test]
fn an_unreachable_server_is_reported_without_the_password() {
    let url = "postgres://me:hunter2@127.0.0.1:1/queue?connect_timeout=1";
    let location = StoreLocation::parse(url, Path::new("/")).unwrap();
    let timeout = std::time::Duration::ZERO;
    let error = TaskStore::open(location, timeout).err().unwrap().to_string();
    assert!(error.contains("postgres://me@127.0.0.1:1/queue"), "{error}");
    assert!(!error.contains("hunter2"), "{error}");
}

#[test]
fn a_role_that_may_only_add_cannot_change_a_task() {
    let server = PostgresServer::start();
    drop(Place::at(&server.url()).open());
    let mut owner = postgres::Client::connect(&server.url(), postgres::NoTls).unwrap();
    owner
        .batch_execute(
            "CREATE ROLE adder LOGIN;
             GRANT SELECT ON ALL TABLES IN SCHEMA public TO adder;
             GRANT INSERT ON tasks, dependencies TO adder;",
        )
        .unwrap();
    let place = Place::at(&server.url().replace("queue@", "adder@"));
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    assert_eq!(store.task(&id).unwrap().state, TaskState::Queued);
    let error = store.cancel(&id).unwrap_err().to_string();
    assert!(error.contains("permission denied"), "{error}");
}
