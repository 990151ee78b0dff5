//! Measures how soon a task continues after a usage limit has been reset, with the real codex and the loopback model.

use std::path::Path;
use std::time::Duration;

use queue::{StoreLocation, TaskFilter, TaskStore};
use testkit::{Client, ClientKind, LoopbackModel, Repository, ScriptedAnswer};

use super::PATIENCE;
use crate::output::print_result;

const RESETS_IN: u64 = 3;
/// The required maximum time between the reset and the continuation of the task.
const MAX_DELAY: Duration = Duration::from_secs(5);
/// The additional time that a task waits after the recorded time of the reset, which has no fractions of a second.
const ROUNDING_MS: i64 = 1_000;

pub(super) fn measure(program: &Path) -> Result<(), String> {
    let limit = ScriptedAnswer::UsageLimit { resets_in: RESETS_IN };
    let model = LoopbackModel::start_with([limit, ScriptedAnswer::text("Done.")]);
    let client = Client::new(ClientKind::Codex, &model);
    let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
    let path = client.home().join("queue.db");
    let run = |arguments: &[&str]| {
        let launch = client.launch(program, repository.path()).arguments(arguments);
        launch.env("ADJUTANT_QUEUE_STORE", &path).run().expect_success();
    };
    run(&["queue", "add", "--context", "off", "--task", "work"]);
    run(&["queue", "work", "--until-empty"]);
    let text = |error: queue::StoreError| error.to_string();
    let mut store = TaskStore::open(StoreLocation::File(path.clone()), PATIENCE).map_err(text)?;
    let tasks = store.tasks(&TaskFilter::default()).map_err(text)?;
    let task = tasks.first().ok_or("there is no task")?;
    let attempts = store.attempts(&task.id).map_err(text)?;
    let notices = store.notices(&task.id).map_err(text)?;
    let notice = notices.first().ok_or("there is no notice")?;
    let notice: serde_json::Value =
        serde_json::from_str(&notice.content).map_err(|error| error.to_string())?;
    let [_, second] = &attempts[..] else {
        return Err(format!("{} attempts instead of 2: {attempts:?}", attempts.len()));
    };
    let until = notice["waiting_until"].as_i64().ok_or("the task did not wait")?;
    let reset = until - ROUNDING_MS;
    let delay = second.started_at - reset;
    let answered = second.ended_at.unwrap_or_default() - reset;
    print_result(&format!("a usage limit that is reset after {RESETS_IN} s, with the real codex"));
    print_result(&format!(
        "  the task continued {delay} ms after the reset, and finished after {answered} ms"
    ));
    let is_in_time = u128::try_from(delay).is_ok_and(|delay| delay <= MAX_DELAY.as_millis());
    if is_in_time { Ok(()) } else { Err("the task did not continue in time".to_owned()) }
}
