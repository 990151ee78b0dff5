// Shows the data that the server sends. Every value is added as text; no value is parsed as HTML.
"use strict";

const texts = JSON.parse(document.getElementById("texts").textContent);
const pageToken = document.querySelector("meta[name=page]").content;
const language = document.documentElement.lang;
const byId = (id) => document.getElementById(id);

const say = (key, values = {}) =>
  (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
const number = (value) => new Intl.NumberFormat(language).format(value ?? 0);
const stateText = (state) => say("state." + state);

// Creates an element. Strings become text nodes, and `null` children are skipped.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) made.setAttribute(key, value);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const state = (word) => element("span", { class: "state state-" + word }, stateText(word));

function time(value) {
  const date = new Date(value);
  if (value === null || value === undefined || isNaN(date)) return null;
  const options = { dateStyle: "medium", timeStyle: "medium" };
  return element("time", { datetime: date.toISOString() }, date.toLocaleString(language, options));
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

const jobTitle = (job) => job.title || job.id;
const jobLink = (id, title) => element("a", { href: "#/job/" + encodeURIComponent(id), "data-key": "job:" + id }, title);
const taskLink = (id, title) => element("a", { href: "#/task/" + encodeURIComponent(id), "data-key": "task:" + id }, title);
const taskTokens = (task) => task.usage.tokens_in + task.usage.tokens_out;

function row(link, word, details) {
  const shown = details.filter((detail) => detail);
  const joined = shown.flatMap((detail, n) => (n === 0 ? [detail] : [" · ", detail]));
  return element("li", {}, state(word), link, element("p", { class: "quiet" }, joined));
}

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

function changes(path) {
  const button = element("button", { type: "button", "data-key": "changes" }, say("showChanges"));
  const place = element("div", {});
  button.addEventListener("click", async () => {
    button.disabled = true;
    place.replaceChildren(element("p", { class: "quiet" }, say("loading")));
    try {
      place.replaceChildren(...diff(await ask(path, "GET")));
    } catch (error) {
      place.replaceChildren(element("p", {}, error.message));
    }
    button.disabled = false;
  });
  return element("section", {}, element("h3", {}, say("changes")), button, place);
}

function diff(found) {
  const kinds = { "+": "add", "-": "delete", "@": "hunk" };
  const lines = found.text.split("\n").map((line) => element("span", { class: kinds[line[0]] ?? "same" }, line + "\n"));
  const attributes = { class: "diff", tabindex: "0", role: "region", "aria-label": say("changes") };
  const isEmpty = found.text.trim() === "";
  return [
    element("p", { class: "quiet" }, say("changesIn", { directory: found.directory, base: found.base.slice(0, 12) })),
    isEmpty && found.untracked.length === 0 ? element("p", {}, say("noChanges")) : "",
    isEmpty ? "" : element("pre", attributes, lines),
    found.is_cut ? element("p", {}, say("cut")) : "",
    found.untracked.length > 0 ? element("p", {}, say("untracked", { files: found.untracked.join(", ") })) : "",
  ].filter((node) => node !== "");
}

// ---- Views. Each returns its title, the item that the stream sends in addition, and a function for each event.

function workView() {
  const summary = element("p", { class: "quiet", id: "summary" });
  const tasks = element("div", { id: "tasks" });
  const jobs = element("div", { id: "jobs" });
  const main = [
    element("h2", { tabindex: "-1" }, say("work")), summary,
    element("h3", {}, say("queue")), tasks, element("h3", {}, say("jobs")), jobs,
  ];
  const rows = (found, empty) => (found.length === 0 ? element("p", { class: "quiet" }, empty) : element("ul", { class: "rows" }, found));
  const onWork = (work) => {
    const running = work.jobs.filter((job) => job.state === "running").length;
    const tokens = work.jobs.reduce((sum, job) => sum + (job.tokens ?? 0), 0);
    summary.textContent = say("summary", { running: number(running), jobs: number(work.jobs.length), tokens: number(tokens) });
    const problem = work.queueProblem && element("p", {}, say("queueProblem", { reason: work.queueProblem }));
    replace(tasks, problem || rows(work.tasks.map(taskRow), say("noTasks")));
    replace(jobs, rows(work.jobs.map(jobRow), say("noJobs")));
  };
  return { title: say("work"), main, on: { work: onWork } };
}

function taskRow(task) {
  const tokens = taskTokens(task) > 0 && number(taskTokens(task)) + " " + say("tokens");
  return row(taskLink(task.id, task.title || task.id), task.state, [task.id, task.repository, tokens, time(task.created_at), task.reason]);
}

function jobRow(job) {
  const tokens = job.tokens && number(job.tokens) + " " + say("tokens");
  const result = job.state !== "running" && job.classification;
  return row(jobLink(job.id, jobTitle(job)), job.state, [job.id, job.directory, tokens, time(job.createdAt), result]);
}

function jobView(id) {
  const heading = element("h2", { tabindex: "-1" }, say("job"));
  const about = element("div", { id: "about" });
  const log = element("pre", { id: "log", tabindex: "0", role: "log", "aria-label": say("log"), "aria-live": "off" });
  const path = "/job/" + encodeURIComponent(id);
  const main = [heading, about, element("h3", {}, say("log")), log, changes(path + "/changes")];
  const onJob = (job) => {
    if (job === null) return replace(about, element("p", {}, say("missing")));
    heading.textContent = jobTitle(job);
    const orders = job.sandbox && say("ordersOf", { sandbox: job.sandbox, approval: job.approval, network: job.network });
    const rows = [
      ["id", job.id], ["directory", job.directory], ["started", time(job.createdAt)], ["updated", time(job.updatedAt)],
      ["result", job.classification], ["reason", job.reason ?? job.note], ["tokens", job.tokens && number(job.tokens)],
      ["orders", orders], ["continues", job.resumedFrom && jobLink(job.resumedFrom, job.resumedFrom)],
    ];
    replace(about, state(job.state), fields(rows), operations(job.operations, path, jobTitle(job)));
  };
  const onLog = (text) => {
    const shown = text === "" ? say("noLog") : text;
    const known = log.textContent;
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    if (known !== "" && shown.startsWith(known)) log.append(shown.slice(known.length));
    else log.textContent = shown;
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  };
  return { title: id, show: "job:" + id, main, on: { job: onJob, log: onLog } };
}

function taskView(id) {
  const heading = element("h2", { tabindex: "-1" }, say("task"));
  const about = element("div", { id: "about" });
  const path = "/task/" + encodeURIComponent(id);
  const onTask = (task) => {
    if (task === null) return replace(about, element("p", {}, say("missing")));
    heading.textContent = task.title || task.id;
    const { tokens_in, tokens_out, turns } = task.usage;
    const tokens = say("tokensOf", { total: number(taskTokens(task)), in: number(tokens_in), out: number(tokens_out) });
    const after = task.after.flatMap((other, n) => [n > 0 ? ", " : "", taskLink(other, other)]);
    const rows = [
      ["id", task.id], ["repository", task.repository], ["created", time(task.created_at)], ["started", time(task.started_at)],
      ["ended", time(task.ended_at)], ["waitingUntil", time(task.waiting_until)], ["result", task.class], ["reason", task.reason],
      ["tokens", tokens], ["turns", turns > 0 ? number(turns) : null], ["priority", number(task.priority)],
      ["after", after.length > 0 ? after : null], ["branch", task.product.branch], ["worktree", task.product.worktree],
      ["agentSummary", task.product.summary],
    ];
    const attempts = task.attempts.map((attempt) => {
      const name = say("attempt", { n: attempt.generation });
      const link = attempt.session ? jobLink(attempt.session, name) : element("span", {}, name);
      return element("li", {}, link, element("p", { class: "quiet" }, [attempt.result, attempt.reason, attempt.worker].filter(Boolean).join(" · ")));
    });
    replace(about, state(task.state), fields(rows), operations(task.operations, path, task.title || task.id),
      attempts.length > 0 ? element("h3", {}, say("attempts")) : null,
      attempts.length > 0 ? element("ul", { class: "rows" }, attempts) : null);
  };
  return { title: id, show: "task:" + id, main: [heading, about, changes(path + "/changes")], on: { task: onTask } };
}

function briefingsView() {
  const list = element("div", { id: "briefings" });
  const open = new Set();
  const onBriefings = (found) => replace(list, found.length === 0
    ? element("p", { class: "quiet" }, say("noBriefings"))
    : element("ul", { class: "rows" }, found.map((one) => element("li", {}, briefing(one, open)))));
  return { title: say("briefings"), show: "briefings", main: [element("h2", { tabindex: "-1" }, say("briefings")), list], on: { briefings: onBriefings } };
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

// Announces the jobs and tasks whose state changed.
function announce(work) {
  const now = new Map([...work.tasks, ...work.jobs].map((one) => [one.id, { title: one.title || one.id, state: one.state }]));
  if (states !== null) {
    const changed = [...now].filter(([id, one]) => states.get(id)?.state !== one.state).map(([, one]) => one);
    const lines = changed.slice(0, 3).map((one) => say("changed", { title: one.title, state: stateText(one.state) }));
    if (lines.length > 0) byId("news").textContent = lines.join("; ");
  }
  states = now;
}

let stream = null;

function show(isFirst) {
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

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
addEventListener("hashchange", () => show(false));
addEventListener("pagehide", () => stream?.close());
// The address of a used link is replaced at once, so that a reload requests the page itself.
if (new URLSearchParams(location.search).has("token")) location.replace("/" + location.hash);
else show(true);
