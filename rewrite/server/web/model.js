/** What the page knows: settings, and the text as it stands with the choices made by weights and by hand. */

import { prepare, rank, resolve, select } from "./choose.js";
import { apply, findEdits } from "./edits.js";
import { load, save } from "./store.js";

export const state = {
  task: load("task", "simplify"),
  lang: load("lang", ""),
  options: load("options", {}), // by task
  tuned: load("tuned", {}), // by task and language: { weights, knob, preset }
  presets: load("presets", []), // of one's own: { name, key, weights }
  choices: load("choices", {}), // by task and language: what POST /v1/preferences takes
  tasks: [],
  served: {}, // GET /v1/presets
  doc: null,
};

/** A text that is being rewritten. A sentence is `served` once the server has sent it; `row` is what stands. */
export function newDoc(source, task, start, before) {
  // What was chosen by hand for the same sentence is chosen again, and what was typed for it stays.
  const drafts = new Map(before?.sentences.map((s) => [s.source, s.draft]));
  const draft = (text) => drafts.get(text) ?? null;
  const sentence = (text) => ({ source: text, served: null, row: null, pinned: false, off: [], own: null, draft: draft(text), check: null });
  const hands = before?.task === task ? before.sentences.filter(held) : [];
  const carried = new Map(hands.map((s) => [s.source, textOf(s)]));
  const { gaps, language, sentences, weights } = start;
  return { id: Date.now(), source, task, gaps, language, weights: weights ?? {}, sentences: sentences.map(sentence), carried };
}

export const key = (doc = state.doc) => `${doc?.task ?? state.task}/${doc?.language ?? (state.lang || "ru")}`;
/** Whether a sentence stands as somebody wants it, whatever the weights say. */
export const held = (s) => s.pinned || s.off.length > 0 || s.own !== null;
export const components = (doc) => doc.sentences.find((s) => s.served?.table)?.served.table.components ?? [];
export const tuned = (doc) => state.tuned[key(doc)];

export function weightsNow(doc) {
  return resolve(components(doc), doc.weights, tuned(doc)?.weights ?? {});
}

/** The presets that the server has for the task and language of the text. */
export function presetsFor(doc) {
  const [byLanguage, language] = [state.served[doc.task] ?? {}, doc.language];
  return byLanguage[language] ?? Object.values(byLanguage)[0] ?? {};
}

export function tune(doc, setting) {
  if (setting) state.tuned[key(doc)] = setting;
  else delete state.tuned[key(doc)];
  save("tuned", state.tuned);
}

/** Chooses by weights where nobody has by hand; the places of those sentences whose choice is another now. */
export function chooseAll(doc) {
  const weights = weightsNow(doc);
  return doc.sentences.flatMap((s, i) => (chooseOne(doc, s, weights) ? [i] : []));
}

export function chooseOne(doc, s, weights = weightsNow(doc)) {
  if (!s.served || held(s)) return false;
  const { table, choice } = s.served;
  const row = table && tuned(doc) ? select(table, weights) : choice;
  if (row === s.row) return false;
  s.row = row;
  return true;
}

/** Takes in what the server sent of a sentence. */
export function serve(doc, index, sent) {
  const s = doc.sentences[index];
  s.served = sent;
  s.row = sent.choice;
  if (sent.table) prepare(sent.table); // not when the first slider moves
  if (apply(sent.source, sent.edits) !== sent.text) sent.edits = findEdits(sent.source, sent.text);
  const wanted = doc.carried?.get(s.source);
  if (wanted === undefined) chooseOne(doc, s);
  else if (wanted === s.source) [s.row, s.pinned] = [null, true];
  else {
    const row = sent.table?.candidates.findIndex((c) => c.text === wanted && !c.blocked) ?? -1;
    if (row < 0) s.own = wanted;
    else [s.row, s.pinned] = [row, true];
  }
}

const found = new WeakMap();

/** Edits of a row of a sentence's table (null: the source); those of the server's choice say why. */
export function editsIn(s, row) {
  if (row === s.served.choice) return s.served.edits;
  if (row === null) return [];
  const { table } = s.served;
  if (!found.has(table)) found.set(table, []);
  return (found.get(table)[row] ??= findEdits(s.source, table.candidates[row].text));
}

export function editsOf(s) {
  if (s.own !== null) return findEdits(s.source, s.own);
  return s.served ? editsIn(s, s.row) : [];
}

/** The sentence as it stands. */
export function textOf(s) {
  if (s.own !== null) return s.own;
  if (!s.served) return s.source;
  if (s.off.length) return apply(s.source, editsOf(s), s.off);
  if (s.row === s.served.choice) return s.served.text;
  return s.row === null ? s.source : s.served.table.candidates[s.row].text;
}

/** The whole text as it stands, each sentence in one line where it was split. */
export function docText(doc) {
  const line = (s) => (textOf(s) === s.source ? s.source : textOf(s).replaceAll("\n", " "));
  return doc.gaps[0] + doc.sentences.map((s, i) => line(s) + doc.gaps[i + 1]).join("");
}

/** What is needed to say that row (null: the source) is better than those which were ranked above it. */
export function preference(s, row, weights) {
  const { table } = s.served;
  const { order } = rank(table, weights);
  const shown = s.row === null ? [null, ...order] : order;
  const at = shown.indexOf(row);
  const over = at > 0 ? shown.slice(0, at) : shown.filter((other) => other !== row).slice(0, 1);
  return { table, preferred: row, over: over.length ? over.slice(0, 5) : [null] };
}
