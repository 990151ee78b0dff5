//! Checks the results of the tasks, and that nothing is left behind.

use std::fs;

use queue::{Attempt, StoreError, TaskFilter, TaskId, TaskState, TaskStore};

use super::{Fleet, POLL, STALLED};

/// A summary of all attempts at the tasks.
pub(super) struct Checked {
    /// The number of attempts whose worker was killed.
    pub(super) n_lost: usize,
    /// The median duration of the attempts that finished.
    pub(super) median_ms: i64,
}

impl Fleet {
    /// Checks that every task has exactly one result, and that no task was run again after its run had completed.
    pub(super) fn check(&self, store: &mut TaskStore, n_tasks: usize) -> Result<Checked, String> {
        let text = |error: StoreError| error.to_string();
        let tasks = store.tasks(&TaskFilter::default()).map_err(text)?;
        if tasks.len() != n_tasks {
            return Err(format!("{} tasks instead of {n_tasks}", tasks.len()));
        }
        let (mut n_lost, mut times) = (0, Vec::new());
        for task in &tasks {
            let attempts = store.attempts(&task.id).map_err(text)?;
            let results: Vec<&str> = attempts
                .iter()
                .map(|attempt| attempt.result.as_deref().unwrap_or("none"))
                .collect();
            let is_once = matches!(&results[..], [earlier @ .., "finished"]
                if earlier.iter().all(|result| *result == "lost"));
            let n_notices = store.notices(&task.id).map_err(text)?.len();
            if !is_once || n_notices != 1 || task.state != TaskState::Finished {
                return Err(format!("task {}: {results:?}, {n_notices} notices", task.id));
            }
            self.check_sessions(&task.id, &attempts)?;
            n_lost += attempts.len() - 1;
            let last = attempts.last().and_then(|last| Some(last.ended_at? - last.started_at));
            times.extend(last);
        }
        times.sort_unstable();
        let median_ms = times.get(times.len() / 2).copied().unwrap_or_default();
        Ok(Checked { n_lost, median_ms })
    }

    /// Checks that exactly one run of the task has completed, and that no run was started after it.
    fn check_sessions(&self, task: &TaskId, attempts: &[Attempt]) -> Result<(), String> {
        let sessions = self.home.path().join("state/sessions");
        let state = |attempt: &Attempt| {
            let path = sessions.join(task.session(attempt.generation)).join("state.json");
            fs::read_to_string(path).ok()
        };
        let has_completed = |state: &String| state.contains(r#""state": "completed""#);
        // The last attempts may have no session, because they only stored the result of an earlier attempt.
        let states: Vec<String> = attempts.iter().filter_map(state).collect();
        let n_completed = states.iter().filter(|state| has_completed(state)).count();
        match states.last() {
            Some(last) if has_completed(last) && n_completed == 1 => Ok(()),
            _ => Err(format!("task {task}: {n_completed} of {} runs completed", states.len())),
        }
    }

    /// Checks that no process, worktree or unstored result is left behind.
    pub(super) fn check_nothing_is_left(&self) -> Result<(), String> {
        let known = self.repository.git(&["worktree", "list"]);
        if known.lines().count() != 1 {
            return Err(format!("worktrees are left:\n{known}"));
        }
        let state = self.home.path().join("state");
        for folder in ["queue/worktrees", "queue/results"] {
            let entries = fs::read_dir(state.join(folder)).into_iter().flatten().flatten();
            let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            if let Some(name) = names.find(|name| name.starts_with("t-")) {
                return Err(format!("`{folder}/{name}` is left"));
            }
        }
        let state = state.to_string_lossy().into_owned();
        let running = || process::processes_with("ADJUTANT_STATE_DIR", &state);
        // The guards of killed workers end shortly after their workers.
        let started = std::time::Instant::now();
        while !running().is_empty() && started.elapsed() < STALLED {
            std::thread::sleep(POLL);
        }
        match &running()[..] {
            [] => Ok(()),
            left => Err(format!("processes are left: {left:?}")),
        }
    }
}
