// Starts the native program of this platform with the same arguments, input and output.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const path = require('node:path');

const manifest = require('./package.json');

/** Ends with a message in the form of the native programs. */
function fail(message, hint) {
  process.stderr.write(`error: ${message}\n\nhint: ${hint}\n`);
  process.exit(1);
}

/** Returns the path of a native program in the package of this platform. */
function find(name) {
  const platform = `${process.platform}-${process.arch}`;
  const wanted = `${manifest.name}-${platform}`;
  const others = `an archive, an install script and a Homebrew formula are at ${manifest.homepage}/releases`;
  if (!(wanted in manifest.optionalDependencies)) {
    fail(`there is no build of ${manifest.name} for ${platform}`, others);
  }
  try {
    return path.join(path.dirname(require.resolve(`${wanted}/package.json`)), 'plugin', 'bin', name);
  } catch {
    fail(
      `the package ${wanted}, which contains the programs for ${platform}, is not installed`,
      `install again with optional dependencies: npm install -g ${manifest.name}\n` +
        `      (on Linux the programs need the GNU C library); or ${others}`,
    );
  }
}

/** Runs a program and ends as the program ends. */
exports.run = function run(name) {
  const program = find(name);
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
  child.on('error', (error) => {
    fail(`cannot start ${program}: ${error.message}`, `install again: npm install -g ${manifest.name}`);
  });
  // A terminal sends Ctrl-C to the program as well.
  const hasTerminal = [0, 1, 2].some((descriptor) => require('node:tty').isatty(descriptor));
  const forwarded = ['SIGTERM', 'SIGHUP', 'SIGINT'];
  for (const signal of forwarded) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !hasTerminal) child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of forwarded) process.removeAllListeners(name);
    process.kill(process.pid, signal);
    // A signal that node ignores does not end this process.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1000);
  });
};
