//! A codex run as a tool call: the user's before hooks may forbid it, the after hooks hear how it ended.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use codex::{Lifecycle, Spec, TOOL};
use contract::Arguments;
use kernel::RepoTools;
use serde_json::Value;
use toolcall::{Answer, Caller, Identity, Implementation, Outcome, ToolCall};

use crate::commands::orchestrate;

const POLL: Duration = Duration::from_millis(10);
/// Beyond every time-out of a run: the run itself sees to those.
const AT_MOST: Duration = Duration::from_secs(60 * 24 * 3600);

pub(crate) struct ToolCallHooks {
    directory: Option<PathBuf>,
}

impl ToolCallHooks {
    pub(crate) fn of(spec: &Spec) -> Self {
        Self::in_directory(Some(spec.directory.clone()))
    }

    pub(crate) fn in_directory(directory: Option<PathBuf>) -> Self {
        Self { directory }
    }
}

impl Lifecycle for ToolCallHooks {
    /// The tool's implementation waits on a thread of the lifecycle until it may go on; the run itself stays here, where
    /// its log and its journal are.
    fn call(&self, arguments: &Value, run: &mut dyn FnMut() -> Value) -> Result<(), String> {
        let mut tools =
            RepoTools::open(orchestrate::host(self.directory.clone()), Caller::CodexRun)?;
        let (may_go, go) = mpsc::channel::<Arguments>();
        let (ended, result) = mpsc::channel::<Value>();
        let result = Mutex::new(result);
        let implementation = Implementation::builtin(move |call| {
            let _gone = may_go.send(call.arguments.clone());
            let result = result.lock().unwrap_or_else(PoisonError::into_inner);
            let meta = result.recv().unwrap_or_default();
            let summary = meta["reason"].as_str().unwrap_or_default().to_owned();
            Ok(Answer { summary, data: Some(meta.into()), ..Answer::default() })
        });
        tools.add(TOOL, implementation);
        let given = Arguments::from_client_input(arguments.clone());
        let call = ToolCall {
            tool: TOOL.to_owned(),
            arguments: given.clone(),
            timeout: AT_MOST,
            identity: Identity::default(),
        };
        thread::scope(|scope| {
            let life = scope.spawn(|| tools.call(&call, String::new(), AT_MOST));
            loop {
                match go.recv_timeout(POLL) {
                    Ok(seen) if seen == given => {
                        let _gone = ended.send(run());
                        drop(life.join());
                        return Ok(());
                    }
                    Ok(_) => {
                        drop(ended);
                        drop(life.join());
                        return Err(
                            "a hook changed the arguments, which a run cannot follow".to_owned()
                        );
                    }
                    Err(_) if life.is_finished() => {
                        let lived = life.join().map_err(|_| "the hooks failed".to_owned())?;
                        return Err(lived.map_or_else(|error| error, |outcome| reason(&outcome)));
                    }
                    Err(_) => {}
                }
            }
        })
    }
}

fn reason(outcome: &Outcome) -> String {
    let error = outcome.result.error.as_ref();
    error.map_or_else(|| outcome.result.summary.clone(), |error| error.message.clone())
}
