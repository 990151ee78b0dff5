//! Makes the C library return memory to the system during a build.

use process::Program;

use crate::edge;

/// Environment variables with settings for malloc in glibc, which reads them when a program starts. By default, each
/// thread keeps large blocks that it has freed, which raises the peak memory of a build by half.
const SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "262144"),
    ("MALLOC_TRIM_THRESHOLD_", "1048576"),
];

/// Starts this program again, in the same process, with the settings of malloc. Does nothing if the environment already
/// contains one of them, or if the C library is not glibc. If the program cannot be started again, it continues with
/// the default settings.
pub(super) fn restart_with_settings() {
    let environment = edge::environment();
    let is_set = SETTINGS.iter().any(|(name, _)| environment.text(name).is_some());
    if is_set || !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return;
    }
    let (Ok(path), mut arguments) = (std::env::current_exe(), std::env::args_os()) else { return };
    let name = arguments.next().unwrap_or_default();
    let environment = SETTINGS
        .iter()
        .fold(environment, |environment, (name, value)| environment.with(name, *value));
    let program = Program::new(path, environment).arguments(arguments);
    let _error = process::replace_process(&program, &name.to_string_lossy());
}
