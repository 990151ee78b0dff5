//! A private home folder for one run of a client, with a test repository and a scripted model.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clients::{Client, Headless, PluginFile, PluginPrograms};
use process::{Bounds, End, Environment, Finished, Program, StopSwitch};
use tempfile::TempDir;

use crate::{LoopbackModel, PassageRole, RecordedRequest};

/// The timeout of one prompt. Most clients need a few seconds, but opencode needs more than a minute to start without a
/// network.
const PROMPT_TIMEOUT: Duration = Duration::from_secs(300);
const MAX_OUTPUT_BYTES: usize = 1024 * 1024;
/// The environment variables that are passed on to a client.
const PASSED_ON: [&str; 4] = ["PATH", "LANG", "LC_ALL", "ADJUTANT_TEST_SLOWNESS"];

pub(crate) const PROMPT: &str = "explain join_names_zebra";
const SOURCE_FILE: &str = "src/names.rs";
const SOURCE: &str = "//! Names.

/// Joins the names.
pub fn join_names_zebra(names: Vec<String>) -> Option<Vec<String>> {
    Some(names)
}
";

/// An installed client, and the Adjutant programs with which it is checked.
pub struct CheckedClient {
    pub client: &'static dyn Client,
    /// The path of the client's executable.
    pub program: PathBuf,
    /// The folder that contains Adjutant's programs.
    pub programs: PathBuf,
    /// The user's environment. Only a few of its variables are passed on to the client.
    pub environment: Environment,
    /// Whether the hook is installed. Without the hook, the checks `Evidence` and `Once` must fail, which shows that
    /// they work.
    pub has_hook: bool,
    /// A switch that stops the running client.
    pub stop: StopSwitch,
}

/// A folder that contains a home folder, a folder for temporary files and a repository, together with a running
/// model. The folder is deleted on drop.
pub(crate) struct Home<'a> {
    subject: &'a CheckedClient,
    folder: PathBuf,
    model: LoopbackModel,
    headless: Headless,
    _temporary: TempDir,
}

impl<'a> Home<'a> {
    pub(crate) fn new(subject: &'a CheckedClient) -> io::Result<Self> {
        let temporary = tempfile::Builder::new().prefix("adjutant-verify-").tempdir()?;
        let folder = temporary.path().canonicalize()?;
        let model = LoopbackModel::bind([])?;
        let headless = subject.client.headless(&model.base_url());
        // Codex refuses a home inside the folder for temporary files, so the two folders are siblings.
        for name in ["home", "tmp"] {
            fs::create_dir(folder.join(name))?;
        }
        let home = Self { subject, folder, model, headless, _temporary: temporary };
        for (path, text) in &home.headless.files {
            write(&home.path().join(path), text)?;
        }
        write(&home.repository().join(SOURCE_FILE), SOURCE)?;
        Ok(home)
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join("home")
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.folder.join("repository")
    }

    pub(crate) fn environment(&self) -> Environment {
        let of_user = &self.subject.environment;
        let passed_on = PASSED_ON.into_iter().filter_map(|name| {
            let value = of_user.text(name)?;
            Some((name.into(), value.into()))
        });
        let environment = Environment::new(passed_on)
            .with_absolute_path()
            .with("HOME", self.path())
            .with("TMPDIR", self.folder.join("tmp"))
            // The plugin searches for the programs here.
            .with("ADJUTANT_BIN_DIR", self.subject.programs.clone())
            .with("GIT_CONFIG_NOSYSTEM", "1");
        let variables = self.headless.environment.iter();
        variables.fold(environment, |environment, (name, value)| environment.with(name, value))
    }

    /// Creates the repository and installs the hook in each of `scopes`, unless the subject has no hook.
    pub(crate) fn prepare(&self, scopes: &[&str]) -> Result<(), String> {
        self.expect_success(Path::new("git"), &["init", "--quiet"], &self.repository())?;
        let adjutant = self.subject.programs.join("adjutant");
        let word = self.subject.client.names().word;
        for scope in scopes.iter().filter(|_| self.subject.has_hook) {
            let arguments = ["install", word, "--scope", scope, "--trust", "--any-version"];
            self.expect_success(&adjutant, &arguments, &self.repository())?;
        }
        Ok(())
    }

    /// Installs the plugin, if the client supports plugins and runs a plugin's hook without confirmation.
    pub(crate) fn install_plugin(&self) -> Result<(), String> {
        if !self.subject.has_hook {
            return Ok(());
        }
        let marketplace = self.folder.join("marketplace");
        let files = clients::plugin_files(PluginPrograms::OnPath).map_err(|it| it.to_string())?;
        for PluginFile { path, text, is_program } in files {
            let path = marketplace.join(path);
            let mode = if is_program { 0o755 } else { 0o644 };
            write(&path, &text)
                .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(mode)))
                .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        }
        let mut commands = self.headless.plugin.iter();
        commands.try_for_each(|arguments| {
            self.expect_success(&self.subject.program, arguments, &marketplace)
        })
    }

    /// Returns whether the client also reads settings in a repository.
    pub(crate) fn has_project_settings(&self) -> bool {
        let client = self.subject.client;
        let user = client.user_locations(&self.path(), &self.environment());
        client.project_locations(&self.repository(), &user).is_some()
    }

    /// Writes a program that always fails and can replace the kernel. Returns its path.
    pub(crate) fn broken_kernel(&self) -> io::Result<PathBuf> {
        let path = self.folder.join("broken-kernel");
        fs::write(&path, "#!/bin/sh\nexit 3\n")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        Ok(path)
    }

    /// Runs the prompt and returns the first request to the model. Fails if the client does not print the model's answer.
    pub(crate) fn prompt(&self, environment: Environment) -> Result<RecordedRequest, String> {
        let program = Program::new(&self.subject.program, environment)
            .arguments(self.headless.arguments.iter().copied())
            .argument(PROMPT)
            .directory(self.repository());
        let finished = self.run(program)?;
        let Some(request) = self.model.first_main_request() else {
            return Err(format!(
                "the client sent no request to the model; {}",
                described(&finished)
            ));
        };
        if !request.text_as(PassageRole::User).contains(PROMPT) {
            return Err("the first request does not contain the prompt".to_owned());
        }
        if !finished.stdout.text().contains(LoopbackModel::DEFAULT_ANSWER) {
            let end = described(&finished);
            return Err(format!("the client did not print the model's answer; {end}"));
        }
        Ok(request)
    }

    fn expect_success(
        &self,
        program: &Path,
        arguments: &[&str],
        directory: &Path,
    ) -> Result<(), String> {
        let command = Program::new(program, self.environment()).arguments(arguments.iter());
        let finished = self.run(command.directory(directory))?;
        if finished.end == End::Exited(0) {
            return Ok(());
        }
        let (program, arguments) = (program.display(), arguments.join(" "));
        Err(format!("`{program} {arguments}` failed: {}", described(&finished)))
    }

    fn run(&self, program: Program) -> Result<Finished, String> {
        let timeout = PROMPT_TIMEOUT * self.subject.environment.slowness();
        let bounds = Bounds {
            deadline: Instant::now() + timeout,
            stdout_bytes: MAX_OUTPUT_BYTES,
            stderr_bytes: MAX_OUTPUT_BYTES,
        };
        process::run_until(&program, &bounds, &self.subject.stop).map_err(|error| error.to_string())
    }
}

/// Describes how a program ended, including the last line that it printed.
fn described(finished: &Finished) -> String {
    let end = match finished.end {
        End::Exited(code) => format!("it exited with {code}"),
        End::Signalled(signal) => format!("it was killed by signal {signal}"),
        End::TimedOut => format!("it did not exit within {} s", finished.duration.as_secs()),
    };
    let texts = [finished.stderr.text(), finished.stdout.text()];
    let last =
        texts.iter().find_map(|text| text.lines().rev().find(|line| !line.trim().is_empty()));
    last.map_or(end.clone(), |line| format!("{end}: {}", line.trim()))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
