// Scenarios of the page of `adjutant ui` in a real Chromium. A Rust test starts the server and this script.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const { ADJUTANT, CHROMIUM, GO, JOB, LINK, MARKUP, MODULES, SCREENSHOTS } = process.env;
const { chromium } = createRequire(MODULES + "/")("playwright-core");
const origin = new URL(LINK).origin;
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
// The timeout is long, because the machine may be busy.
const TIMEOUT = 45_000;

// Opens the link in a new browser. `problems` collects console errors and requests to other hosts.
async function open(browser, options = {}) {
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1000, height: 800 }, ...options });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => new URL(request.url()).origin !== origin && problems.push(request.url()));
  await page.goto(LINK);
  await page.waitForURL(origin + "/");
  await text(page, "#connection", /Live|实时/);
  return { context, page, problems };
}

// Waits until the element shows the text. The policy of the page forbids the code that `waitForFunction` would evaluate.
async function text(page, selector, hasText) {
  try {
    await page.locator(selector).filter({ hasText }).first().waitFor({ state: "attached" });
  } catch (error) {
    throw new Error(`${error.message}\nthe page ${page.url()} shows:\n${await page.innerText("body")}`);
  }
}

const shot = (page, name, options) => SCREENSHOTS && page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, ...options });

async function fits(page) {
  const [content, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(content <= visible, `${content} pixels of content in a window of ${visible}`);
}

const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());

const scenarios = {
  async load(browser) {
    const { context, page, problems } = await open(browser);
    assert.equal(await page.getAttribute("html", "lang"), "en");
    await text(page, "#tasks", MARKUP);
    await text(page, "#tasks", "first task");
    assert.equal(await page.title(), "Report · Adjutant");
    assert.equal(await page.locator("main img").count(), 0, "markup is text");

    // The order in which the Tab key reaches the elements: the skip link, the navigation, the controls, the job.
    const order = [];
    for (let n = 0; n < 9; n++) {
      await page.keyboard.press("Tab");
      order.push(await focused(page));
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      assert.equal(outline, "solid", "the focus is visible");
    }
    assert.deepEqual(order.slice(0, 3), ["Skip to content", "Work", "Briefings"]);
    assert.deepEqual(order.slice(5), ["all 2", "running 1", "queued 1", MARKUP]);
    await page.keyboard.press("Enter");
    await text(page, "#log", "first news");
    assert.equal(await focused(page), MARKUP, "the heading has the focus");

    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await back();
    assert.notEqual(light, dark);
    assert.match(dark, /rgb\((\d\d?), (\d\d?), (\d\d?)\)/, "a dark background");

    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
    await page.click("nav a >> nth=0");
    await text(page, "#tasks", MARKUP);
    await fits(page);

    // The link does not work a second time, in this browser or in another.
    const second = await browser.newContext();
    const answer = await second.request.get(LINK);
    assert.equal(answer.status(), 403);
    assert.match(await answer.text(), /^Open this page with the link that `adjutant ui --link` prints\.$/m);
    await page.reload();
    await text(page, "#connection", "Live");
    assert.deepEqual(problems, []);
    await context.close();
  },

  async follow(browser) {
    const { page, problems } = await open(browser);
    await text(page, "#tasks", "running");
    await page.evaluate(() => (window.wasNotReloaded = true));
    await page.click("text=Fix the retry limit");
    await text(page, "#log", "first news");
    assert(!(await page.textContent("#log")).includes("last news"));
    assert(!(await page.textContent("#log")).includes("Begin Codex Output"), "the log has no lines of the wrapper");
    await text(page, "pre.diff", "+two");
    writeFileSync(GO, "");
    await text(page, "#about", "finished");
    await text(page, "#log", "last news");
    await text(page, "#about", "127");
    await text(page, "#news", "Fix the retry limit of the client: finished");
    assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
    // A new job continues the conversation.
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL((url) => url.hash.startsWith("#/job/") && !url.hash.includes(JOB));
    await text(page, "#technical", JOB);
    assert(await page.evaluate(() => window.wasNotReloaded));
    assert.deepEqual(problems, []);
  },

  async stop(browser) {
    const { context, page, problems } = await open(browser);
    await page.click("text=long job");
    await text(page, "#log", "first news");

    // A page on another port of this machine belongs to the same site, so the browser sends the cookie.
    const forger = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<h1>forger</h1>"));
    await new Promise((listening) => forger.listen(0, "127.0.0.1", listening));
    const other = await context.newPage();
    const forged = other.waitForResponse((response) => response.url().endsWith("/stop"));
    await other.goto(`http://127.0.0.1:${forger.address().port}/`);
    const read = await other.evaluate(async ([origin, job]) => {
      const options = { mode: "no-cors", credentials: "include" };
      await fetch(`${origin}/job/${job}/stop`, { ...options, method: "POST" }).catch(() => {});
      const page = await fetch(origin + "/", { ...options, mode: "cors" }).then((answer) => answer.text(), () => "refused");
      const stream = new EventSource(origin + "/events", { withCredentials: true });
      await new Promise((ended) => stream.addEventListener("error", ended));
      return page;
    }, [origin, JOB]);
    assert.equal(read, "refused");
    const answer = await forged;
    assert.equal(answer.status(), 403);
    assert.match((await answer.request().allHeaders()).cookie ?? "", /adjutant-/, "the browser sent the cookie");
    forger.close();
    forger.closeAllConnections();
    await other.close();
    await text(page, "#about", "running");

    const asked = [];
    let accepts = false;
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      return accepts ? dialog.accept() : dialog.dismiss();
    });
    await page.getByRole("button", { name: "Stop" }).click();
    await text(page, "#about", "running");
    accepts = true;
    await page.getByRole("button", { name: "Stop" }).focus();
    await page.keyboard.press("Enter");
    await text(page, "#about", "stopped");
    assert.equal(asked.length, 2);
    assert.match(asked[0], /long job/);
    assert.deepEqual(problems, []);
  },

  // One worker with one slot. The third run of codex asks for an approval.
  async task(browser) {
    const { page, problems } = await open(browser);
    page.on("dialog", (dialog) => dialog.accept());
    await text(page, "#tasks", "running");
    await page.click("#tasks >> text=Change the greeting");
    await text(page, "#about", "running");
    await text(page, "#log", "first news");
    await text(page, "#about", "turn 1");
    await page.click("summary >> text=Technical data");
    await page.click("text=Attempt 1");
    await text(page, "#log", "first news");
    await page.goBack();
    await text(page, "#about", "running");
    await page.click("text=Reload");
    await text(page, "pre.diff", "+two");

    await page.click("nav a >> nth=0");
    await page.click("#tasks >> text=Describe the change");
    await text(page, "#about", "queued");
    await page.getByRole("button", { name: "Cancel" }).click();
    await text(page, "#about", "cancelled");
    await page.getByRole("button", { name: "Retry" }).click();
    await text(page, "#about", "queued");

    await page.click("nav a >> nth=0");
    await page.click("#tasks >> text=Change the greeting");
    writeFileSync(GO, "");
    await text(page, "#about", "finished");
    await text(page, "#about", "last news");
    await text(page, "#about", "127 tokens");
    await text(page, "#about", "+1 −1 in 1 file");
    await text(page, "#about code", "git merge adjutant/t-");
    await text(page, "pre.diff", "+two");
    await shot(page, "ui-task", { fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);

    await page.click("nav a >> nth=0");
    await page.click("#tasks >> text=Remove the files");
    await text(page, "#about", "needs approval");
    await page.getByRole("button", { name: "Approve" }).click();
    await text(page, "#about", "finished");
    await text(page, "#technical", "Attempt 2");
    assert.deepEqual(problems, []);
  },

  // 1,000 tasks: 3 failed, 1 waiting, 1 queued, the others finished. Two attempts of the first failure.
  async report(browser) {
    const { context, page, problems } = await open(browser);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await text(page, "#summary", "1,000 tasks");
    const rows = page.locator("#tasks > ul > li");
    assert.equal(await rows.count(), 100, "the rows are rendered in pages");
    const states = await page.locator("#tasks > ul > li > .state").allTextContents();
    assert.deepEqual(states.slice(0, 6), ["failed", "failed", "failed", "waiting", "queued", "finished"]);
    await text(page, "#tasks .reason", "the connection was reset");
    await shot(page, "ui-work", { clip: { x: 0, y: 0, width: 1000, height: 640 } });
    await page.click("text=Show 100 more of 900");
    assert.equal(await rows.count(), 200);

    // The result of a finished task is taken with a command.
    const finished = rows.filter({ hasText: "finished" }).first();
    await finished.getByText("+12 −3 in 2 files").waitFor();
    await finished.getByRole("button", { name: "Copy" }).click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^git merge adjutant\/t-/);
    await page.locator("summary", { hasText: "2 attempts" }).click();
    await text(page, "ol.attempts", "Attempt 2");

    // Filters.
    await page.getByRole("button", { name: "failed 3" }).click();
    assert.equal(await rows.count(), 3);
    await page.getByRole("button", { name: "all 1,000" }).click();
    await page.fill("#search", "task 777");
    assert.equal(await rows.count(), 1);
    await page.fill("#search", "");
    await page.selectOption("select[aria-label=Repository]", { label: "/other" });
    assert.equal(await rows.count(), 1);
    await page.selectOption("select[aria-label=Repository]", { label: "all repositories" });

    // Keyboard: the next and the previous failure, the search.
    await page.locator("#main").focus();
    const titles = [];
    for (const key of ["n", "n", "n", "n", "p"]) {
      await page.keyboard.press(key);
      titles.push(await focused(page));
    }
    assert.equal(new Set(titles).size, 3);
    assert.deepEqual([titles[3], titles[4]], [titles[0], titles[2]]);
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.id), "search");

    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 390, height: 844 });
      await fits(page);
    }
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    await shot(page, "ui-phone", { clip: { x: 0, y: 0, width: 390, height: 700 } });

    // A second device opens the page with another link, and the first one keeps its access.
    const link = execFileSync(ADJUTANT, ["ui", "--link"]).toString().trim();
    const second = await browser.newContext({ locale: "zh-CN" });
    const other = await second.newPage();
    await other.goto(link);
    await text(other, "#summary", "1,000 个任务");
    await page.reload();
    await text(page, "#summary", "1,000 tasks");
    assert.deepEqual(problems, []);
  },

  // The patch of a task whose worktree was removed: a list of files, one diff for each text file, binary files by name.
  async diff(browser) {
    const { page, problems } = await open(browser);
    await page.click("#tasks >> text=Change two files");
    await page.locator("ul.files li").nth(2).waitFor();
    assert.deepEqual(await page.locator("ul.files li").allTextContents(), ["a.txt +1 −1", "data.bin binary", "src/new.rs +2 −0"]);
    assert.equal(await page.locator("details.file pre.diff").count(), 2);
    await page.click("ul.files >> text=src/new.rs");
    assert.match(await focused(page), /src\/new\.rs/);
    await text(page, "pre.diff .add", "+two");
    assert.deepEqual(problems, []);
  },

  async chinese(browser) {
    const { page, problems } = await open(browser, { locale: "zh-CN" });
    assert.equal(await page.getAttribute("html", "lang"), "zh-Hans");
    await text(page, "main", "没有任务");
    assert.deepEqual(problems, []);
  },

  async briefings(browser) {
    const { page, problems } = await open(browser, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await page.click("text=Briefings");
    await text(page, "#briefings", MARKUP);
    assert.equal(await page.locator("main img").count(), 0, "markup is text");
    await page.locator("summary").first().focus();
    await page.keyboard.press("Enter");
    await page.locator("text=0.91 src/limits.rs:3 limit").first().waitFor();
    await text(page, "details", "probability 0.93");
    await text(page, "details", "findings: 2 · injected characters: 412");
    await fits(page);
    const { y, height } = await page.locator("main li").first().boundingBox();
    await shot(page, "ui-briefings", { clip: { x: 0, y: 0, width: 390, height: y + height } });
    assert.deepEqual(problems, []);
  },
};

const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
try {
  await scenarios[process.argv[2]](browser);
} finally {
  await browser.close();
}
