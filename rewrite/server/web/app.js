/** Puts the page together: runs, what is said, what is clicked. */

import { Failure, get, post, stream } from "./api.js";
import { $, h, later, on } from "./dom.js";
import { apply } from "./edits.js";
import {
  chooseAll, chooseOne, docText, editsOf, held, key, newDoc, preference, serve, state, textOf, weightsNow,
} from "./model.js";
import { number, setUi, t, ui } from "./messages.js";
import { copy, download, fileOf } from "./outputs.js";
import { drawPanel } from "./panel.js";
import { Rows } from "./rows.js";
import { asked, segment, showKept, showSettings } from "./settings.js";
import { keepResult, keptResult, load, save } from "./store.js";
import { createTune } from "./tune.js";

let running = null; // AbortController
const rows = new Rows($("rows"), { toggle, open, close: () => rows.close() });
const tuning = createTune({ changed: reweighted, say, failed });

function translate() {
  document.documentElement.lang = ui();
  const each = (name, act) => document.querySelectorAll(`[data-${name}]`).forEach((el) => act(el, t(el.dataset[name])));
  each("t", (el, text) => (el.textContent = text));
  each("label", (el, text) => el.setAttribute("aria-label", text));
  each("hint", (el, text) => (el.placeholder = text));
  const languages = [{ value: "en", text: "EN", title: "English" }, { value: "ru", text: "RU", title: "Русский" }];
  segment($("ui"), languages, ui(), (value) => {
    setUi(value);
    save("ui", value);
    translate();
    $("ui").querySelector(":checked").focus();
  });
  const views = ["changes", "clean"].map((value) => ({ value, text: t(`view.${value}`) }));
  segment($("view"), views, $("main").dataset.view, (value) => ($("main").dataset.view = value));
  showSettings();
  showKept();
  rows.show(state.doc);
  tuning.show({ anew: true });
  if (state.doc) changed();
  else summary();
}

function say(text) {
  $("status").textContent = text;
}

/** Shows lines with buttons beside them; nothing without lines. */
function notice(lines, ...actions) {
  $("notice").hidden = !lines;
  const shut = h("button", { type: "button", class: "quiet", onclick: () => notice() }, t("close"));
  const said = (lines ?? []).filter(Boolean).map((line) => h("p", {}, line));
  $("notice").replaceChildren(...said, ...actions.filter(Boolean), shut);
}

const action = (text, act) => h("button", { type: "button", onclick: () => (notice(), act()) }, text);

function failed(error, again = run) {
  if (!(error instanceof Failure)) {
    notice([t("wentWrong", { status: error.message })]);
    throw error;
  }
  const { status, message, hint, known, wait } = error;
  if (status === 401) {
    const input = h("input", { type: "password", autocomplete: "off", "aria-label": t("token") });
    const enter = action(t("send"), () => {
      sessionStorage.setItem("rewrite.token", input.value);
      start();
      if (again !== start) again();
    });
    notice([t("needToken")], input, enter);
    input.focus();
  } else if (status === 0) notice([t("lostAll")], action(t("again"), again));
  else if (status === 429) notice([t("busy"), wait && t("busyWait", { wait })], action(t("again"), again));
  else notice([message || t("wentWrong", { status }), hint, !hint && known.join(", ")]);
}

const isStale = () => state.doc !== null && $("text").value !== state.doc.source;

function summary() {
  const { doc } = state;
  $("outs").hidden = $("edit-text").hidden = !doc;
  $("empty").hidden = Boolean(doc);
  $("go").textContent = t(doc && !isStale() ? "goAgain" : "go");
  if (!doc || running) return;
  const done = doc.sentences.filter((s) => textOf(s) !== s.source).length;
  const n = doc.sentences.filter(held).length;
  say(isStale() ? t("stale") : t("changedOf", { done, all: doc.sentences.length }) + (n ? t("yours", { n }) : ""));
}

/** Figures of source and rewrite beside each other; those that a language does not have are null. */
function showEase(...sides) {
  const [tenth, share] = [(x) => number(x, 1), (x) => `${number(x * 100, 0)} %`];
  const figures = [["words", "words_per_sentence", tenth], ["grade", "grade", tenth], ["rare", "rare_words", share]];
  const known = figures.filter(([, name]) => sides.every((side) => side[name] != null));
  $("ease").replaceChildren(...known.map(([label, name, shown]) => {
    const [before, after] = sides.map((side) => shown(side[name]));
    const seen = h("span", { "aria-hidden": "true" }, `${before} → `, h("b", {}, after));
    const said = h("span", { class: "hidden" }, t("beforeAfter", { before, after }));
    return h("div", {}, h("dt", {}, t(label)), h("dd", {}, seen, said));
  }));
}

const measure = later(async () => {
  const { doc } = state;
  if (!doc || running) return;
  try {
    const { results } = await post("v1/readability", { texts: [doc.source, docText(doc)], lang: doc.language });
    if (doc === state.doc) showEase(...results);
  } catch {
    const { readability: figures, grade } = doc;
    if (figures) showEase(...["source", "text"].map((name) => ({ ...figures[name], grade: grade?.[name] })));
  }
}, 400);

function changed() {
  summary();
  measure();
}

function reweighted() {
  const moved = chooseAll(state.doc);
  moved.forEach((i) => rows.update(i));
  if (!moved.includes(rows.opened)) rows.refresh();
  changed();
}

function setRunning(controller) {
  running = controller;
  $("go").hidden = Boolean(controller);
  $("cancel").hidden = $("progress").hidden = !controller;
  if (!controller) return;
  notice();
  $("progress").removeAttribute("value");
  say(t("starting"));
}

function mode(name) {
  $("main").dataset.mode = name;
  $(name === "write" ? "text" : "rows").focus({ preventScroll: name === "read" });
}

function progress() {
  const all = state.doc.sentences.length;
  const done = state.doc.sentences.filter((s) => s.served).length;
  Object.assign($("progress"), { max: all, value: done });
  say(t("doneOf", { done, all }));
}

function arrived(i, sentence) {
  serve(state.doc, i, sentence);
  if (state.doc.sentences[i].own !== null) check(i);
  rows.update(i);
  progress();
  if ($("tune").hidden) tuning.show();
}

async function whole(signal) {
  const source = $("text").value;
  for await (const event of stream("v1/rewrite", { ...asked(), text: source }, signal)) {
    if (event.type === "start") {
      state.doc = newDoc(source, event.task, event.results[0], state.doc);
      rows.show(state.doc);
      summary();
      mode("read");
      progress();
    } else if (event.type === "sentence") arrived(event.index, event.sentence);
    else if (event.type === "result") {
      const { weights, grade, readability, signature } = event;
      Object.assign(state.doc, { weights, grade, readability, signature });
    }
  }
}

/** Asks for the sentences that are not done, each as a text of its own. */
async function rest(signal) {
  const { doc } = state;
  const missing = doc.sentences.flatMap((s, i) => (s.served ? [] : [i]));
  const texts = missing.map((i) => doc.sentences[i].source);
  for await (const event of stream("v1/rewrite", { ...asked(), task: doc.task, lang: doc.language, texts }, signal)) {
    const [i, source] = [missing[event.result], texts[event.result]];
    if (event.type === "sentence" && event.sentence.source === source) arrived(i, event.sentence);
    else if (event.type === "result") {
      if (!Object.keys(doc.weights).length) doc.weights = event.weights;
      doc.signature ??= event.signature;
      // Alone it was cut into several: they are shown as one, without alternatives.
      const joined = { source, text: event.text, skipped: "", error: "", choice: null, why: [], edits: [], table: null };
      if (!doc.sentences[i].served) arrived(i, joined);
    }
  }
}

async function run(part = whole) {
  if (running) return;
  if (!$("text").value.trim()) {
    mode("write");
    notice([t("empty")]);
    return;
  }
  const controller = new AbortController();
  setRunning(controller);
  try {
    await part(controller.signal);
    setRunning(null);
  } catch (error) {
    setRunning(null);
    const left = state.doc?.sentences.filter((s) => !s.served).length ?? 0;
    const canGoOn = left > 0 && (part === rest || !isStale());
    const goOn = action(t("goOn"), () => run(rest));
    if (controller.signal.aborted) notice([t("cancelled")], canGoOn && goOn);
    else if (error.status === 0 && canGoOn) notice([t("lost", { left })], goOn);
    else failed(error, () => run(part));
  }
  if (document.activeElement === document.body) $("go").focus();
  if (!state.doc) return;
  keepResult(state.doc);
  saveHands();
  tuning.show();
  reweighted();
}

function toggle(i, edit) {
  const s = state.doc.sentences[i];
  s.off = s.off.includes(edit) ? s.off.filter((other) => other !== edit) : [...s.off, edit];
  // Words of one's own less an edit are words of one's own.
  if (s.own !== null) Object.assign(s, { own: apply(s.source, editsOf(s), s.off), off: [] });
  afterHand(i);
}

/** Choices by hand are saved at once, beside the tables, which are too big for that. */
function saveHands() {
  const { id, sentences } = state.doc;
  save("hands", { id, hands: sentences.map((s) => held(s) && { row: s.row, pinned: s.pinned, off: s.off, own: s.own }) });
}

function set(i, values) {
  Object.assign(state.doc.sentences[i], { row: null, pinned: false, off: [], own: null }, values);
  afterHand(i);
}

function afterHand(i) {
  chooseOne(state.doc, state.doc.sentences[i]);
  saveHands();
  check(i);
  rows.update(i);
  changed();
}

/** Whether the guard would let the sentence pass as it stands; known from the table, or asked of the server. */
async function check(i) {
  const { doc } = state;
  const s = doc.sentences[i];
  const text = textOf(s);
  s.check = null;
  if (text === s.source || (!s.off.length && s.own === null)) return;
  const known = s.served.table?.candidates.find((candidate) => candidate.text === text);
  if (known) {
    if (known.blocked) s.check = { status: "blocked", why: known.blocked };
    return;
  }
  s.check = { status: "wait", text };
  const { options: { keep: words, strict }, ui: language } = asked();
  const options = { ...(words && { keep: words }), ...(strict && { strict }) };
  let check = { status: "failed" };
  try {
    const body = { task: doc.task, lang: doc.language, source: s.source, candidates: [text], options, ui: language };
    const { table, rows: [row] } = await post("v1/score", body);
    const why = table.candidates[row].blocked;
    check = why ? { status: "blocked", why } : { status: "passed" };
  } catch {
    // Said beside the sentence.
  }
  if (doc !== state.doc || s.check?.text !== text) return;
  s.check = check;
  rows.update(i);
}

function open(i) {
  if (rows.opened === i) return rows.close();
  const { doc } = state;
  const s = doc.sentences[i];
  const act = {
    take: (row) => set(i, { row, pinned: true }),
    auto: () => set(i, {}),
    own: (text) => text.trim() && set(i, text.trim() === s.source ? { pinned: true } : { own: text.trim() }),
    close: () => (rows.rows[i].num.focus(), rows.close()),
    prefer: (row) => {
      const others = (state.choices[key()] ?? []).filter((choice) => choice.table.source !== s.source);
      state.choices[key()] = [...others, preference(s, row, weightsNow(doc))];
      save("choices", state.choices);
      tuning.show();
      act.take(row);
      rows.refresh();
    },
  };
  const mine = () => state.choices[key()]?.find((choice) => choice.table.digest === s.served?.table?.digest);
  rows.open(i, (host) => drawPanel(host, doc, i, act, mine()?.preferred));
}

const typed = later(() => {
  save("text", $("text").value);
  save("keep", $("keep").value);
  showKept();
  summary();
}, 200);

on("text", "input", typed);
on("keep", "input", typed);
on("go", "click", () => run());
on("cancel", "click", () => running?.abort());
on("edit-text", "click", () => mode($("main").dataset.mode === "write" ? "read" : "write"));
on("lang", "change", () => save("lang", (state.lang = $("lang").value)));
on("copy", "click", () => copy(docText(state.doc)).then(() => say(t("copied"))));
on("example", "click", () => {
  $("text").value = t("exampleText");
  typed.now();
  run();
});
on("download", "click", ({ target }) => {
  if (!target.dataset.as) return;
  download(...fileOf(state.doc, target.dataset.as));
  $("download").open = false;
});
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  if (event.key === "Escape") $("download").open = false;
});
addEventListener("click", ({ target }) => {
  if (!$("download").contains(target)) $("download").open = false;
});
addEventListener("pagehide", typed.now);

async function start() {
  try {
    const [tasks, served] = await Promise.all([get("v1/tasks"), get("v1/presets")]);
    state.served = served;
    state.tasks = tasks.filter(({ name }) => name in served); // others do not rewrite
    showSettings();
    tuning.show({ anew: true });
  } catch (error) {
    failed(error, start);
  }
}

setUi(load("ui", navigator.language?.startsWith("ru") ? "ru" : "en"));
$("text").value = load("text", "");
$("keep").value = load("keep", "");
translate();
start();
keptResult().then((doc) => {
  if (!doc || state.doc) return;
  state.doc = doc;
  const { id, hands } = load("hands", {});
  if (id === doc.id) doc.sentences.forEach((s, i) => Object.assign(s, { pinned: false, off: [], own: null }, hands[i]));
  chooseAll(doc);
  mode(isStale() ? "write" : "read");
  rows.show(doc);
  tuning.show();
  changed();
});
