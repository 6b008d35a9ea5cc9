/** Puts the page together: runs, what is said, what is clicked. */

import { access, Failure, get, post, stream } from "./api.js";
import { $, h, later, on } from "./dom.js";
import { apply } from "./edits.js";
import { chooseAll, chooseOne, docText, editsOf, held, key, newDoc, preference, serve, state, textOf, weightsNow } from "./model.js";
import { known as hasMessage, number, reason, setUi, t, ui } from "./messages.js";
import { copy, download, fileOf } from "./outputs.js";
import { drawPanel } from "./panel.js";
import { Rows } from "./rows.js";
import { asked, segment, showKept, showSettings } from "./settings.js";
import { keepResult, keptResult, load, save } from "./store.js";
import { createTune } from "./tune.js";

let running = null; // AbortController
let keptAt = 0;
const say = (text) => ($("status").textContent = text);
const rows = new Rows($("rows"), { toggle, open, close: () => rows.close() });
const tuning = createTune({ changed: reweighted, say, failed });

function translate() {
  document.documentElement.lang = ui();
  const each = (name, act) => document.querySelectorAll(`[data-${name}]`).forEach((el) => act(el, t(el.dataset[name])));
  each("t", (el, text) => (el.textContent = text));
  each("label", (el, text) => el.setAttribute("aria-label", text));
  each("hint", (el, text) => (el.placeholder = text));
  const languages = [{ value: "en", text: "EN", title: "English" }, { value: "ru", text: "RU", title: "Русский" }];
  segment($("ui"), languages, ui(), (value) => (setUi(value), save("ui", value), translate()));
  const views = ["changes", "clean"].map((value) => ({ value, text: t(`view.${value}`) }));
  segment($("view"), views, $("main").dataset.view, (value) => ($("main").dataset.view = value));
  showSettings();
  showKept();
  rows.show(state.doc);
  tuning.show({ anew: true });
  changed();
}

/** Shows lines with buttons beside them; nothing without lines. */
function notice(lines, ...actions) {
  const hadFocus = $("notice").contains(document.activeElement);
  $("notice").hidden = !lines;
  const shut = h("button", { type: "button", class: "quiet", onclick: () => notice() }, t("close"));
  const said = (lines ?? []).filter(Boolean).map((line) => h("p", {}, line));
  $("notice").replaceChildren(...said, ...actions.filter(Boolean), shut);
  if (hadFocus && !lines) $("go").focus();
}

const action = (text, act) => h("button", { type: "button", onclick: () => (notice(), act()) }, text);

/** What is not done yet, in words, and the button to have it done. */
function remains(part) {
  const left = state.doc?.sentences.filter((s) => !s.served).length ?? 0;
  return left && (part === rest || !isStale()) ? [t("left", { left }), action(t("goOn"), () => run(rest))] : [];
}

function failed(error, again = run, left, goOn) {
  if (!(error instanceof Failure)) {
    notice([t("wentWrong", { status: error.message })]);
    throw error;
  }
  const { status, message, hint, known, type, wait } = error;
  if (status === 401) {
    const input = h("input", { type: "password", autocomplete: "off", "aria-label": t("token") });
    const enter = action(t("send"), () => {
      save("token", (access.token = input.value));
      start();
      if (again !== start) again();
    });
    notice([t("needToken")], input, enter);
    input.focus();
  } else if (status === 0) notice([t(left ? "lost" : "lostAll"), left], goOn ?? action(t("again"), again));
  else if (status === 429) notice([t("busy"), wait && t("busyWait", { wait })], action(t("again"), again));
  else {
    const said = hasMessage(`error.${type}`) && t(`error.${type}`);
    notice([said, message || t("wentWrong", { status }), hint, !hint && known.join(", "), left], goOn);
  }
}

const isStale = () => state.doc !== null && $("text").value !== state.doc.source;

function summary() {
  const { doc } = state;
  $("outs").hidden = $("edit-text").hidden = !doc;
  $("empty").hidden = Boolean(doc);
  $("go").textContent = t(doc && !isStale() ? "goAgain" : "go");
  $("edit-text").textContent = t($("main").dataset.mode === "write" ? "editDone" : "editText");
  if (!doc || running) return;
  const done = doc.sentences.filter((s) => textOf(s) !== s.source).length;
  const n = doc.sentences.filter(held).length;
  say(isStale() ? t("stale") : t("changedOf", { done, all: doc.sentences.length }) + (n ? t("yours", { n }) : ""));
}

/** Figures of source and rewrite beside each other; those that a language does not have are null. */
function showEase(...sides) {
  const [tenth, share] = [(x) => number(x, 1), (x) => `${number(x * 100, 0)} %`];
  const figures = [["words", "words_per_sentence", tenth], ["grade", "grade", tenth], ["rare", "rare_words", share]];
  const known = figures.filter(([, name]) => sides.length && sides.every((side) => side[name] != null));
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
  const answer = post("v1/readability", { texts: [doc.source, docText(doc)], lang: doc.language });
  const { results } = await answer.catch(() => ({ results: [] })); // no figures rather than old ones
  if (doc === state.doc) showEase(...results);
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
  const hadFocus = [document.body, $("go"), $("cancel"), $("progress")].includes(document.activeElement);
  $("go").hidden = Boolean(controller);
  $("cancel").hidden = $("progress").hidden = !controller;
  if (hadFocus) $(controller ? "progress" : "go").focus();
  // Every sentence that is done changes the status: to be seen, not to be heard.
  $("status").ariaLive = controller ? "off" : "polite";
  if (!controller) return;
  notice();
  $("progress").removeAttribute("value");
  say(t("starting"));
}

function mode(name) {
  $("main").dataset.mode = name;
  summary();
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
  if (Date.now() - keptAt > 1000) keep();
}

async function whole(signal) {
  const source = $("text").value;
  for await (const event of stream("v1/rewrite", { ...asked(), text: source }, signal)) {
    if (event.type === "start") {
      state.doc = newDoc(source, event.task, event.results[0], state.doc);
      rows.show(state.doc);
      mode("read");
      progress();
      keep();
    } else if (event.type === "sentence") arrived(event.index, event.sentence);
    else if (event.type === "result") Object.assign(state.doc, { weights: event.weights, signature: event.signature });
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
  if (!$("text").value.trim()) return mode("write"), notice([t("empty")]);
  const controller = new AbortController();
  setRunning(controller);
  try {
    await part(controller.signal);
    setRunning(null);
  } catch (error) {
    setRunning(null);
    const [left, goOn] = remains(part);
    if (controller.signal.aborted) notice([t("cancelled"), left], goOn);
    else failed(error, () => run(part), left, goOn);
  }
  if (!state.doc) return;
  keep();
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
  const hand = ({ row, pinned, off, own, draft }) => ({ row, pinned, off, own, draft });
  save("hands", { id: state.doc.id, hands: state.doc.sentences.map((s) => (held(s) || s.draft !== null) && hand(s)) });
}

function keep() {
  keptAt = Date.now();
  keepResult(state.doc);
  saveHands();
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
  if (known && !known.blocked) return;
  s.check = known ? { status: "blocked", why: known.blocked } : { status: "wait", text };
  if (known) return;
  const { options: { keep: words, strict }, ui: language } = asked();
  const options = { ...(words && { keep: words }), ...(strict && { strict }) };
  const body = { task: doc.task, lang: doc.language, source: s.source, candidates: [text], options, ui: language };
  const answer = await post("v1/score", body).catch(() => null);
  if (doc !== state.doc || s.check?.text !== text) return;
  const why = answer?.table.candidates[answer.rows[0]].blocked;
  s.check = { status: !answer ? "failed" : why ? "blocked" : "passed", why };
  if (why) say(t("blockedHere", { why: reason(why) }));
  rows.update(i);
}

function open(i) {
  if (rows.opened === i) return rows.close();
  const { doc } = state;
  const s = doc.sentences[i];
  const act = {
    take: (row) => set(i, { row, pinned: true }),
    auto: () => set(i, {}),
    draft: (text) => (s.draft = text, drafted()),
    own: (text) => text.trim() && set(i, { draft: null, ...(text.trim() === s.source ? { pinned: true } : { own: text.trim() }) }),
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

const drafted = later(saveHands, 200);
const typed = later(() => {
  const isKept = [save("text", $("text").value), save("keep", $("keep").value)].every(Boolean);
  showKept();
  summary();
  if (!isKept) say(t("unkept"));
}, 200);
on("text", "input", typed);
on("keep", "input", typed);
on("go", "click", () => run());
on("cancel", "click", () => running?.abort());
on("edit-text", "click", () => mode($("main").dataset.mode === "write" ? "read" : "write"));
on("lang", "change", () => save("lang", (state.lang = $("lang").value)));
on("copy", "click", () => copy(docText(state.doc)).then((isCopied) => say(t(isCopied ? "copied" : "notCopied"))));
on("example", "click", () => {
  // Put in as if it were typed, so that what stood there before can be had back by undo.
  $("text").focus();
  $("text").select();
  document.execCommand("insertText", false, t("exampleText"));
  typed.now();
  run();
});
const saveAs = (as) => fileOf(state.doc, as).then((file) => download(...file), (error) => failed(error, () => saveAs(as)));
on("download", "click", ({ target }) => target.dataset.as && (shutMenu(), saveAs(target.dataset.as)));
function shutMenu() {
  if ($("download").contains(document.activeElement)) $("download").firstElementChild.focus();
  $("download").open = false;
}
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  if (event.key === "Escape") shutMenu();
});
// What another tab has collected is not written over by this one.
addEventListener("storage", ({ key: changedKey }) => {
  for (const name of ["choices", "presets"]) if (changedKey === `rewrite.${name}`) state[name] = load(name, state[name]);
  tuning.show();
});
addEventListener("click", ({ target }) => $("download").contains(target) || ($("download").open = false));
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
[$("text").value, $("keep").value] = [load("text", ""), load("keep", "")];
translate();
start();

async function restore() {
  const { id, hands } = load("hands", {});
  const doc = id && (await keptResult(id));
  if (!doc || state.doc) return;
  state.doc = doc;
  doc.sentences.forEach((s, i) => Object.assign(s, { pinned: false, off: [], own: null, draft: null }, hands[i]));
  chooseAll(doc);
  rows.show(doc);
  mode(isStale() ? "write" : "read");
  tuning.show();
  changed();
  const [left, goOn] = remains(whole);
  if (left) notice([left], goOn);
}
restore();
