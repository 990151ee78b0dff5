// Writes the direct callers of sampled TypeScript functions, as the TypeScript compiler resolves them.
//
// usage: NODE_PATH=DIR/node_modules node truth.js REPOSITORY OUTPUT [FUNCTIONS]
//
// A place is a caller if it is a call, a construction, a decorator or a JSX element whose name resolves to a declaration
// of the function. Other places that refer to the function, except imports and exports, are listed under `uses`.

const fs = require("fs");
const path = require("path");
const { execFileSync } = require("child_process");
const ts = require("typescript");

const SEED = 15;
const TEST = /(^|\/)(tests?|__tests__|examples?|docs|benchmarks?|bench|website|packages\/docs)(\/|$)|\.(test|spec|bench)\./;

const [root, output, count] = [path.resolve(process.argv[2]), process.argv[3], Number(process.argv[4] ?? 80)];
const listed = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mts"], { cwd: root, encoding: "utf8" });
const names = listed.split("\n").filter((name) => name && !name.endsWith(".d.ts"));
const program = ts.createProgram(names.map((name) => path.join(root, name)), compilerOptions());
const checker = program.getTypeChecker();
const sources = names.map((name) => program.getSourceFile(path.join(root, name))).filter(Boolean);

function compilerOptions() {
  const file = ts.findConfigFile(root, ts.sys.fileExists);
  const config = file ? ts.readConfigFile(file, ts.sys.readFile).config ?? {} : {};
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root).options;
  return { ...parsed, allowJs: false, noEmit: true, skipLibCheck: true };
}

function placeOf(node) {
  const source = node.getSourceFile();
  const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return { path: path.relative(root, source.fileName), line };
}

function isFunction(node) {
  const isNamed = node.name && ts.isIdentifier(node.name);
  if (!isNamed) return false;
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return Boolean(node.body);
  const isHolder = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node);
  return isHolder && node.initializer && (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer));
}

function visit(node, each) {
  each(node);
  ts.forEachChild(node, (child) => visit(child, each));
}

function isInFunction(node) {
  for (let outer = node.parent; outer; outer = outer.parent) {
    if (ts.isFunctionLike(outer)) return true;
  }
  return false;
}

// A small generator with a fixed seed, so that every run samples the same functions.
function shuffled(items) {
  let state = SEED;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return items.map((item) => [next(), item]).sort((a, b) => a[0] - b[0]).map(([, item]) => item);
}

function resolved(node) {
  const isShorthand = ts.isShorthandPropertyAssignment(node.parent);
  let symbol = isShorthand ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return symbol?.declarations ?? [];
}

function isCall(node) {
  let target = node;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) target = node.parent;
  const parent = target.parent;
  const calls = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === target;
  const isTag = (ts.isJsxOpeningElement(parent) || ts.isJsxSelfClosingElement(parent)) && parent.tagName === target;
  return calls || isTag || ts.isDecorator(parent);
}

function isSkipped(node) {
  for (let outer = node.parent; outer && !ts.isStatement(outer); outer = outer.parent) {
    if (ts.isExportSpecifier(outer)) return true;
  }
  const parent = node.parent;
  return ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isExportSpecifier(parent) || parent.name === node && isFunction(parent);
}

const candidates = [];
const mentions = [];
for (const source of sources) {
  visit(source, (node) => {
    if (isFunction(node) && !isInFunction(node) && !TEST.test(placeOf(node).path)) candidates.push(node);
    if (ts.isIdentifier(node) && !isSkipped(node)) mentions.push(node);
  });
}
const mentioned = new Set(mentions.map((node) => node.text));
const chosen = shuffled(candidates.filter((node) => mentioned.has(node.name.text))).slice(0, count);
const byDeclaration = new Map();
const functions = chosen.map((declaration) => {
  const found = { ...placeOf(declaration.name), name: declaration.name.text, callers: [], uses: [] };
  const own = checker.getSymbolAtLocation(declaration.name)?.declarations ?? [declaration];
  for (const part of own) byDeclaration.set(part, found);
  return found;
});
for (const mention of mentions) {
  const found = resolved(mention).map((it) => byDeclaration.get(it)).find(Boolean);
  if (!found || byDeclaration.has(mention.parent)) continue;
  const place = placeOf(mention);
  (isCall(mention) ? found.callers : found.uses).push(`${place.path}:${place.line}`);
}
for (const found of functions) {
  found.callers = [...new Set(found.callers)].sort();
  found.uses = [...new Set(found.uses)].sort();
}
fs.writeFileSync(output, JSON.stringify({ repository: path.basename(root), functions }, null, 1));
