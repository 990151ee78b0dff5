// Shows the data that the server sends. Every value is added as text; no value is parsed as HTML.
"use strict";

const texts = JSON.parse(document.getElementById("texts").textContent);
const pageToken = document.querySelector("meta[name=page]").content;
const language = document.documentElement.lang;
const byId = (id) => document.getElementById(id);

const say = (key, values = {}) =>
  (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
const number = (value) => new Intl.NumberFormat(language).format(value ?? 0);
const money = (value) => (value > 0 ? new Intl.NumberFormat(language, { maximumFractionDigits: 4 }).format(value) : null);
const stateText = (state) => say("state." + state);

// Creates an element. Strings become text nodes, and `null` children are skipped.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) made.setAttribute(key, value);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const state = (word) => element("span", { class: "state state-" + word }, stateText(word));

const exactly = (date) => date.toLocaleString(language, { dateStyle: "medium", timeStyle: "medium" });

// The exact time, or how long ago it was, with the exact time on hover.
function time(value, isRelative) {
  const date = new Date(value);
  if (value === null || value === undefined || isNaN(date)) return null;
  const attributes = { datetime: date.toISOString(), title: exactly(date) };
  return element("time", attributes, isRelative ? ago(date) : exactly(date));
}

function ago(date) {
  const seconds = (date - Date.now()) / 1000;
  const units = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [size, unit] = units.find(([size]) => Math.abs(seconds) >= size) ?? units[3];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

// Replaces the content and keeps the focus on the element with the same key.
function replace(container, ...nodes) {
  const focused = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  container.replaceChildren(...nodes.flat().filter((node) => node !== null));
  if (focused === undefined) return;
  const same = [...container.querySelectorAll("[data-key]")].find((node) => node.dataset.key === focused);
  (same ?? byId("main")).focus();
}

// A list of names and values. Empty values are left out.
function fields(rows) {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element("dl", {}, shown.flatMap(([key, value]) => [element("dt", {}, say(key)), element("dd", {}, value)]));
}

const jobLink = (id, title) => element("a", { href: "#/job/" + encodeURIComponent(id), "data-key": "job:" + id }, title);
const taskLink = (id, title) => element("a", { href: "#/task/" + encodeURIComponent(id), "data-key": "task:" + id }, title);
const tokensOf = (count) => (count > 0 ? number(count) + " " + say("tokens") : null);
const costOf = (micros) => (micros > 0 ? say("costOf", { cost: money(micros / 1e6) }) : null);
const changesOf = (count) =>
  count ? say(count.files === 1 ? "changedFile" : "changedFiles", { added: number(count.added), removed: number(count.removed), files: number(count.files) }) : null;

function duration(start, end) {
  if (!start || !end) return null;
  const seconds = Math.max(0, Math.round((end - start) / 1000));
  const units = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const first = Math.max(0, units.findIndex(([size]) => seconds >= size));
  const parts = [];
  let rest = seconds;
  for (const [size, unit] of first === 0 && seconds < 1 ? units.slice(3) : units.slice(first, first + 2)) {
    const style = { style: "unit", unit, unitDisplay: "narrow" };
    if (rest >= size || parts.length === 0) parts.push(new Intl.NumberFormat(language, style).format(Math.floor(rest / size)));
    rest %= size;
  }
  return parts.join(" ");
}

// Joins the parts that are not empty with a dot.
const joined = (parts) => parts.filter((part) => part).flatMap((part, n) => (n === 0 ? [part] : [" · ", part]));

// A command with a button that copies it.
function command(words, key) {
  const button = element("button", { type: "button", class: "copy", "data-key": "copy:" + key, "aria-label": say("copy") + " " + words }, say("copy"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(words);
      byId("news").textContent = say("copied", { command: words });
    } catch (error) {
      byId("alert").textContent = say("problem", { reason: error.message });
    }
  });
  return element("p", { class: "command" }, element("code", {}, words), button);
}

const takes = (one) => (one.state === "finished" && one.branch ? command("git merge " + one.branch, one.id) : null);
const doing = (activity) =>
  activity && element("p", { class: "activity" }, joined([say("turn", { n: number(activity.turn) }), tokensOf(activity.tokens), activity.lastCall && element("code", {}, activity.lastCall)]));

// ---- Operations

async function ask(path, method) {
  const answer = await fetch(path, { method, headers: { "X-Adjutant-Page": pageToken } });
  const text = await answer.text();
  const value = text === "" ? {} : JSON.parse(text);
  if (!answer.ok) throw new Error(value.error ?? answer.status + " " + answer.statusText);
  return value;
}

// The buttons of the operations that are possible now. Operations that end a job or a task ask for confirmation.
function operations(words, path, title) {
  const questions = { stop: say("stopAsk", { title }), cancel: say("cancelAsk", { title }) };
  const buttons = words.map((word) => operation(word, path + "/" + word, questions[word]));
  return element("div", { class: "actions" }, buttons);
}

function operation(word, path, question) {
  const attributes = { type: "button", "data-key": "do:" + word };
  if (question) attributes.class = "danger";
  const button = element("button", attributes, say("do." + word));
  button.addEventListener("click", async () => {
    if (question && !confirm(question)) return;
    byId("alert").textContent = "";
    button.disabled = true;
    byId("news").textContent = say("working");
    try {
      const done = await ask(path, "POST");
      byId("news").textContent = say("done", { action: say("do." + word) });
      if (done.job) location.hash = "#/job/" + encodeURIComponent(done.job);
    } catch (error) {
      byId("news").textContent = "";
      byId("alert").textContent = say("problem", { reason: error.message });
    }
    button.disabled = false;
  });
  return button;
}

// The changes of a job or a task, by file. They are loaded at once, and again when `load` is called.
function changes(path) {
  const place = element("div", { id: "changes" });
  const button = element("button", { type: "button", "data-key": "changes" }, say("reload"));
  const load = async () => {
    button.disabled = true;
    try {
      replace(place, diff(await ask(path, "GET")));
    } catch (error) {
      replace(place, element("p", { class: "quiet" }, error.message));
    }
    button.disabled = false;
  };
  button.addEventListener("click", load);
  const heading = element("div", { class: "heading" }, element("h3", {}, say("changes")), button);
  return { section: element("section", {}, heading, place), load };
}

const size = (file) => element("span", { class: "size" }, element("span", { class: "add" }, "+" + number(file.added)), " ", element("span", { class: "delete" }, "−" + number(file.removed)));

function diff(found) {
  const isEmpty = found.files.length === 0 && found.untracked.length === 0;
  const list = found.files.map((file, n) => element("li", {},
    element("button", { type: "button", class: "file", "data-key": "file:" + n }, file.path), " ", file.is_binary ? say("binary") : size(file)));
  const files = found.files.map((file, n) => fileDiff(file, n));
  list.forEach((entry, n) => entry.firstChild.addEventListener("click", () => {
    files[n].open = true;
    files[n].querySelector("summary").focus();
    files[n].scrollIntoView({ block: "start" });
  }));
  return [
    isEmpty ? element("p", { class: "quiet" }, say("noChanges")) : null,
    list.length > 1 ? element("ul", { class: "files" }, list) : null,
    ...files,
    found.is_cut ? element("p", {}, say("cut")) : null,
    found.untracked.length > 0 ? element("p", { class: "quiet" }, say("untracked", { files: found.untracked.join(", ") })) : null,
    isEmpty ? null : element("p", { class: "quiet" }, say("changesIn", { directory: found.directory, base: found.base.slice(0, 12) })),
  ];
}

function fileDiff(file, n) {
  const kinds = { "+": "add", "-": "delete", "@": "hunk" };
  const summary = element("summary", { "data-key": "diff:" + n }, element("span", { class: "path" }, file.path), " ", file.is_binary ? say("binary") : size(file));
  if (file.text === "") return element("details", { class: "file", open: "" }, summary);
  const lines = file.text.replace(/\n$/, "").split("\n").map((line) => element("span", { class: kinds[line[0]] ?? "same" }, line + "\n"));
  const attributes = { class: "diff", tabindex: "0", role: "region", "aria-label": file.path };
  return element("details", { class: "file", open: "" }, summary, element("pre", attributes, lines));
}

// ---- Views. Each returns its title, the item that the stream sends in addition, and a function for each event.

// States in the order of the report: first those that need the user.
const RANKS = ["failed", "lost", "budget", "needs-approval", "waiting", "running", "queued", "finished", "completed", "cancelled", "stopped"];
const FAILED = ["failed", "lost", "budget", "needs-approval"];
const rank = (state) => RANKS.indexOf(state);
const PAGE_ROWS = 100;
const HOUR = 3_600_000;
const PERIODS = { hours12: 12 * HOUR, day: 24 * HOUR, week: 168 * HOUR, all: Infinity };
// What the user selected. It is kept while the user looks at a task.
const chosen = { state: "", repository: "", search: "", period: "day", rows: PAGE_ROWS };

// One entry for each task, and for each job that is not an attempt of a task.
function entries(work) {
  const tasks = work.tasks.map((task) => ({ ...task, link: taskLink, place: task.repository }));
  const jobs = work.jobs.map((job) => ({
    ...job, title: job.title || job.tag || job.id, link: jobLink, place: job.cwd, attempts: [],
    tokens: job.tokens_used, costMicros: (job.total_use?.cost ?? 0) * 1e6,
    startedAt: Date.parse(job.created_at), endedAt: job.state === "running" ? null : Date.parse(job.updated_at),
    class: job.classification, reason: job.reason ?? job.note,
  }));
  const changed = (one) => one.endedAt ?? one.startedAt ?? one.createdAt;
  return [...tasks, ...jobs].sort((a, b) => rank(a.state) - rank(b.state) || changed(b) - changed(a));
}

// A list of options that keeps its selection.
function select(key, options) {
  const made = element("select", { "data-key": key, "aria-label": say(key) }, options.map(([value, name]) => element("option", { value }, name)));
  made.value = chosen[key];
  made.addEventListener("change", () => choose({ [key]: made.value }));
  return made;
}

let refresh = () => {};
function choose(values) {
  Object.assign(chosen, { rows: PAGE_ROWS }, values);
  refresh();
}

function workView() {
  const summary = element("p", { class: "quiet", id: "summary" });
  const states = element("div", { class: "states", role: "group", "aria-label": say("state") });
  const search = element("input", { type: "search", id: "search", placeholder: say("search"), "aria-label": say("search") });
  const selects = element("span", { class: "selects" });
  const list = element("div", { id: "tasks" });
  search.value = chosen.search;
  search.addEventListener("input", () => choose({ search: search.value }));
  const controls = element("div", { class: "controls" }, search, selects);
  const main = [element("h2", { tabindex: "-1" }, say("report")), summary, controls, states, list];
  let work = null;
  refresh = () => {
    if (work === null) return;
    const all = entries(work);
    const since = Date.now() - PERIODS[chosen.period];
    const places = [...new Set(all.map((one) => one.place))].sort();
    if (!places.includes(chosen.repository)) chosen.repository = "";
    const words = chosen.search.toLowerCase().split(" ").filter(Boolean);
    const text = (one) => [one.title, one.id, one.class, one.reason, one.branch, one.place].join(" ").toLowerCase();
    const found = all.filter((one) => (!one.endedAt || one.endedAt > since)
      && (chosen.repository === "" || one.place === chosen.repository) && words.every((word) => text(one).includes(word)));
    const counts = RANKS.map((word) => [word, found.filter((one) => one.state === word).length]).filter(([, count]) => count > 0);
    if (!counts.some(([word]) => word === chosen.state)) chosen.state = "";
    const shown = found.filter((one) => chosen.state === "" || one.state === chosen.state);
    const sum = (name) => found.reduce((sum, one) => sum + (one[name] ?? 0), 0);
    summary.replaceChildren(...joined([say("tasks", { n: number(found.length) }), tokensOf(sum("tokens")), costOf(sum("costMicros")), say("keys")]));
    replace(states, stateButton("", found.length), counts.map(([word, count]) => stateButton(word, count)));
    replace(selects, select("period", Object.keys(PERIODS).map((key) => [key, say("period." + key)])),
      places.length > 1 ? select("repository", [["", say("everyRepository")], ...places.map((place) => [place, place])]) : null);
    const more = shown.length - chosen.rows;
    const button = more > 0 ? element("button", { type: "button", "data-key": "more" }, say("more", { n: number(Math.min(more, PAGE_ROWS)), all: number(more) })) : null;
    button?.addEventListener("click", () => choose({ rows: chosen.rows + PAGE_ROWS }));
    const problem = work.queueProblem ? element("p", {}, say("queueProblem", { reason: work.queueProblem })) : null;
    const empty = shown.length > 0 ? null : element("p", { class: "quiet" }, say(all.length === 0 ? "noTasks" : "noMatches"));
    const rows = shown.slice(0, chosen.rows).map((one) => row(one, places.length > 1));
    replace(list, problem, empty, rows.length > 0 ? element("ul", { class: "rows" }, rows) : null, button);
  };
  return { title: say("report"), main, on: { work: (found) => { work = found; refresh(); } } };
}

function stateButton(word, count) {
  const isChosen = chosen.state === word;
  const attributes = { type: "button", class: "state state-" + word, "aria-pressed": String(isChosen), "data-key": "state:" + word };
  const made = element("button", attributes, (word === "" ? say("every") : stateText(word)) + " " + number(count));
  made.addEventListener("click", () => choose({ state: isChosen ? "" : word }));
  return made;
}

const figures = (one) => [
  duration(one.startedAt, one.endedAt ?? (one.state === "running" ? Date.now() : null)),
  tokensOf(one.tokens), costOf(one.costMicros), changesOf(one.changes),
];
const isOpen = (word) => rank(word) <= rank("waiting");
const because = (one) => isOpen(one.state) && (one.reason || one.class)
  ? element("p", { class: "reason" }, one.reason || one.class) : null;

function row(one, hasPlaces) {
  const when = one.waitingUntil ? element("span", {}, say("waitingUntil"), " ", time(one.waitingUntil, true)) : time(one.endedAt ?? one.startedAt ?? one.createdAt, true);
  const details = joined([...figures(one), when, hasPlaces && one.place, element("span", { class: "id" }, one.id)]);
  const attempts = one.attempts.length > 1 ? element("details", {}, element("summary", {}, say("nAttempts", { n: number(one.attempts.length) })), attemptList(one.attempts)) : null;
  const link = one.link(one.id, one.title || one.id);
  if (FAILED.includes(one.state)) link.dataset.failed = one.id;
  return element("li", {}, state(one.state), link, because(one), element("p", { class: "quiet" }, details), doing(one.activity), takes(one), attempts);
}

function attemptList(attempts) {
  return element("ol", { class: "attempts" }, attempts.map((attempt) => {
    const name = say("attempt", { n: attempt.generation });
    const link = attempt.session ? jobLink(attempt.session, name) : element("span", {}, name);
    const parts = [attempt.result, attempt.reason, duration(attempt.started_at, attempt.ended_at), attempt.worker];
    return element("li", {}, link, " ", element("span", { class: "quiet" }, joined(parts)));
  }));
}

// The agent's log. The lines of the wrapper are shown on request.
function log() {
  const text = element("pre", { id: "log", tabindex: "0", role: "log", "aria-label": say("log"), "aria-live": "off" });
  const on = (found) => {
    const shown = found === "" ? say("noLog") : found;
    const known = text.textContent;
    const isAtEnd = text.scrollHeight - text.scrollTop - text.clientHeight < 40;
    if (known !== "" && shown.startsWith(known)) text.append(shown.slice(known.length));
    else text.textContent = shown;
    if (isAtEnd) text.scrollTop = text.scrollHeight;
  };
  return { section: element("section", {}, element("h3", {}, say("log")), text), on };
}

// The whole log of a job, with the lines of the wrapper, loaded when the user opens it.
function wholeLog(id) {
  const text = element("pre", { tabindex: "0", role: "region", "aria-label": say("wholeLog") });
  const made = element("details", {}, element("summary", { "data-key": "wholeLog" }, say("wholeLog")), text);
  made.addEventListener("toggle", async () => {
    if (!made.open) return;
    text.textContent = say("loading");
    text.textContent = await ask("/job/" + encodeURIComponent(id) + "/log", "GET").catch((error) => error.message);
  });
  return made;
}

const technical = (...children) => element("details", { id: "technical" }, element("summary", { "data-key": "technical" }, say("technical")), children);

function jobView(id) {
  const heading = element("h2", { tabindex: "-1" }, say("job"));
  const about = element("div", { id: "about" });
  const path = "/job/" + encodeURIComponent(id);
  const made = changes(path + "/changes");
  const lines = log();
  const data = element("div", {});
  let loaded = null;
  const main = [heading, about, made.section, lines.section, technical(data, wholeLog(id))];
  const onJob = (job) => {
    if (job === null) return replace(about, element("p", {}, say("missing")));
    const orders = job.effective_sandbox && say("ordersOf", { sandbox: job.effective_sandbox, approval: job.effective_approval_policy, network: job.effective_network_access });
    const used = job.total_use ?? { turns: 0 };
    const [one] = entries({ tasks: [], jobs: [job] });
    heading.textContent = one.title;
    const rows = [
      ["id", job.id], ["directory", job.cwd], ["started", time(job.created_at)], ["updated", time(job.updated_at)],
      ["result", job.classification], ["tokens", job.total_use && say("tokensOf", { in: number(used.input_tokens), out: number(used.output_tokens) })],
      ["turns", used.turns > 0 ? number(used.turns) : null], ["orders", orders], ["continues", job.resumed_from && jobLink(job.resumed_from, job.resumed_from)],
    ];
    replace(about, element("p", { class: "quiet" }, state(job.state), joined(figures(one))), because(one), doing(job.activity),
      operations(job.operations, path, one.title));
    replace(data, fields(rows));
    if (loaded !== job.state) made.load();
    loaded = job.state;
  };
  return { title: id, show: "job:" + id, main, on: { job: onJob, log: lines.on } };
}

function taskView(id) {
  const heading = element("h2", { tabindex: "-1" }, say("task"));
  const about = element("div", { id: "about" });
  const path = "/task/" + encodeURIComponent(id);
  const made = changes(path + "/changes");
  const lines = log();
  const data = element("div", {});
  const whole = element("div", {});
  let loaded = null;
  const main = [heading, about, made.section, lines.section, technical(data, whole)];
  const onTask = (task) => {
    if (task === null) return replace(about, element("p", {}, say("missing")));
    heading.textContent = task.title || task.id;
    const { tokens_in, tokens_out, turns, cost_micros } = task.usage;
    const one = { ...task, startedAt: task.started_at, endedAt: task.ended_at, tokens: tokens_in + tokens_out, costMicros: cost_micros, changes: task.product.changes, branch: task.product.branch };
    const after = task.after.flatMap((other, n) => [n > 0 ? ", " : "", taskLink(other, other)]);
    const rows = [
      ["id", task.id], ["repository", task.repository], ["created", time(task.created_at)], ["started", time(task.started_at)],
      ["ended", time(task.ended_at)], ["result", task.class], ["tokens", say("tokensOf", { in: number(tokens_in), out: number(tokens_out) })],
      ["turns", turns > 0 ? number(turns) : null], ["priority", number(task.priority)], ["after", after.length > 0 ? after : null],
      ["branch", task.product.branch], ["worktree", task.product.worktree], ["patch", task.product.patch],
    ];
    const waits = task.waiting_until ? element("span", {}, say("waitingUntil"), " ", time(task.waiting_until, true)) : null;
    replace(about, element("p", { class: "quiet" }, state(task.state), joined([...figures(one), time(task.ended_at ?? task.started_at ?? task.created_at, true), waits])),
      because(one), doing(task.activity), takes(one), operations(task.operations, path, task.title || task.id),
      task.product.summary ? element("h3", {}, say("agentSummary")) : null,
      task.product.summary ? element("p", { class: "summary" }, task.product.summary) : null);
    replace(data, fields(rows), task.attempts.length > 0 ? element("h4", {}, say("attempts")) : null, task.attempts.length > 0 ? attemptList(task.attempts) : null);
    if (task.session && whole.firstChild === null) whole.append(wholeLog(task.session));
    const seen = task.state + task.generation;
    if (loaded !== seen) made.load();
    loaded = seen;
  };
  return { title: id, show: "task:" + id, main, on: { task: onTask, log: lines.on } };
}

function briefingsView() {
  const list = element("div", { id: "briefings" });
  const benefit = element("p", { id: "benefit", class: "quiet" });
  const open = new Set();
  const onBenefit = (found) => {
    const { briefings, sessions, characters, places, usedPlaces } = found;
    const added = say("benefit", { briefings: number(briefings), sessions: number(sessions), characters: number(characters) });
    const used = say("usedPlaces", { used: number(usedPlaces), places: number(places) });
    replace(benefit, briefings === 0 ? "" : added + (places === 0 ? "" : " " + used));
  };
  const onBriefings = (found) => replace(list, found.length === 0
    ? element("p", { class: "quiet" }, say("noBriefings"))
    : element("ul", { class: "rows" }, found.map((one) => element("li", {}, briefing(one, open)))));
  return { title: say("briefings"), show: "briefings", main: [element("h2", { tabindex: "-1" }, say("briefings")), benefit, list], on: { benefit: onBenefit, briefings: onBriefings } };
}

function briefing(found, open) {
  const amount = element("span", { class: "state" }, say("amount." + found.amount));
  const summary = element("summary", { "data-key": "briefing:" + found.id }, amount, found.prompt);
  const probability = found.probability === null ? "" : say("probability", { p: found.probability.toFixed(2) });
  const items = (lines) => (lines.length === 0 ? null : element("ul", {}, lines.map((line) => element("li", {}, line))));
  const score = (one) => (one.confidence === null ? "" : one.confidence.toFixed(2) + " ");
  const findings = found.findings.map((one) => score(one) + one.place + (one.symbol ? " " + one.symbol : "") + " (" + one.tool + ")");
  const tools = found.tools.map((one) => one.tool + ": " + say("toolLine", one));
  const made = element("details", {}, summary, fields([
    ["id", found.id], ["created", time(found.createdAt)], ["client", found.client], ["repository", found.repository],
    ["why", [found.reasons.join(", "), probability].filter(Boolean).join("; ")],
    ["result", say("injected", { findings: number(found.findings.length), characters: number(found.characters) })],
    ["findings", items(findings)], ["tools", items(tools)], ["limits", found.limits],
  ]));
  made.open = open.has(found.id);
  made.addEventListener("toggle", () => (made.open ? open.add(found.id) : open.delete(found.id)));
  return made;
}

// ---- Navigation and live updates

function viewOf(hash) {
  const [, kind, id] = hash.split("/").map(decodeURIComponent);
  if (kind === "job" && id) return jobView(id);
  if (kind === "task" && id) return taskView(id);
  return kind === "briefings" ? briefingsView() : workView();
}

let states = null;
let failures = [];

// Announces the jobs and tasks whose state changed.
function announce(work) {
  failures = entries(work).filter((one) => FAILED.includes(one.state)).map((one) => one.link(one.id, "").hash);
  const now = new Map([...work.tasks, ...work.jobs].map((one) => [one.id, { title: one.title || one.tag || one.id, state: one.state }]));
  if (states !== null) {
    const changed = [...now].filter(([id, one]) => states.get(id)?.state !== one.state).map(([, one]) => one);
    const lines = changed.slice(0, 3).map((one) => say("changed", { title: one.title, state: stateText(one.state) }));
    if (lines.length > 0) byId("news").textContent = lines.join("; ");
  }
  states = now;
}

let stream = null;

function show(isFirst) {
  refresh = () => {};
  const view = viewOf(location.hash || "#/");
  document.title = view.title + " · Adjutant";
  byId("main").replaceChildren(...view.main);
  byId("alert").textContent = "";
  const isBriefings = view.show === "briefings";
  byId("nav-work").toggleAttribute("aria-current", false);
  byId("nav-briefings").toggleAttribute("aria-current", false);
  byId(isBriefings ? "nav-briefings" : "nav-work").setAttribute("aria-current", "page");
  if (!isFirst) byId("main").querySelector("h2").focus();
  stream?.close();
  stream = new EventSource("/events?page=" + pageToken + (view.show ? "&show=" + view.show : ""));
  stream.addEventListener("work", (event) => {
    byId("connection").textContent = say("connected");
    announce(JSON.parse(event.data));
  });
  for (const [name, listener] of Object.entries(view.on)) {
    stream.addEventListener(name, (event) => listener(JSON.parse(event.data)));
  }
  const opened = stream;
  stream.addEventListener("error", () => {
    if (opened !== stream) return;
    byId("connection").textContent = say(opened.readyState === EventSource.CLOSED ? "disconnected" : "reconnecting");
  });
}

// Goes to the next or the previous failure: in the report to its row, on another page to its page.
function toFailure(step) {
  const rows = [...document.querySelectorAll("a[data-failed]")];
  const next = (list, current) => list[(list.indexOf(current) + step + list.length + (step < 0 && !list.includes(current) ? 1 : 0)) % list.length];
  if (rows.length > 0) next(rows, document.activeElement).focus();
  else if (failures.length > 0 && byId("search") === null) location.hash = next(failures, location.hash);
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (event.key === "n") toFailure(1);
  else if (event.key === "p") toFailure(-1);
  else if (event.key === "/" && byId("search") !== null) byId("search").focus();
  else return;
  event.preventDefault();
});
// Relative times and the durations of running tasks.
setInterval(() => refresh(), 30_000);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
addEventListener("hashchange", () => show(false));
addEventListener("pagehide", () => stream?.close());
// The address of a used link is replaced at once, so that a reload requests the page itself.
if (new URLSearchParams(location.search).has("token")) location.replace("/" + location.hash);
else show(true);
