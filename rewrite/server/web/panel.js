/** One sentence unfolded: why this one, the alternatives, what was blocked, the plot and the components. */

import { h } from "./dom.js";
import { rank } from "./choose.js";
import { editsIn, editsOf, held, state, textOf, tuned, weightsNow } from "./model.js";
import { named, number, quoted, reason, t, weightShown } from "./messages.js";
import { plot } from "./plot.js";
import { describe, marked } from "./rows.js";
import { pieces } from "./edits.js";

const button = (name, key, onclick, more = {}) => h("button", { type: "button", "data-key": key, onclick, ...more }, name);

const bar = (share) => {
  const made = h("span", { class: "bar", "aria-hidden": "true" });
  made.style.setProperty("--share", share);
  return made;
};

/** Fills `host`; `act` has take(row), prefer(row), draft(text), own(text), auto(), close(); `preferred` is a row, if one was. */
export function drawPanel(host, doc, i, act, preferred) {
  const s = doc.sentences[i];
  const table = s.served?.table;
  const weights = weightsNow(doc);
  const ranked = table && rank(table, weights);
  const stands = s.off.length || s.own !== null ? undefined : s.row;
  const label = (row) => (row === null ? t("asIs") : table.candidates[row].text);
  const figures = h("div");
  const point = (row) => figures.replaceChildren(components(table, weights, row ?? stands ?? s.row, label));
  if (table) point();
  const own = h("textarea", { rows: 2, "data-key": "own", lang: doc.language, "aria-label": t("ownText"), oninput: () => act.draft(own.value) });
  own.value = s.draft ?? textOf(s);
  const [quiet, hint] = [{ class: "quiet" }, ` · ♡ ${t("prefer")}`];
  host.replaceChildren(
    h("div", { class: "head" }, h("h3", {}, t("whyThis")),
      held(s) && button(t("auto"), "auto", act.auto, quiet), button(t("close"), "close", act.close, quiet)),
    h("ul", { class: "why" }, why(s, ranked, weights).map((line) => h("li", {}, line))),
    h("div", { class: "sides" },
      h("div", {},
        h("h3", {}, t("alternatives"), table && h("span", { "aria-hidden": "true" }, hint)),
        ranked && alternatives(s, doc, ranked, stands, { act, point, preferred, label }),
        !ranked?.order.length && h("p", { class: "note" }, t("noAlternatives")),
        table && blocked(table, doc.language, host.querySelector("details.blocked")?.open),
        h("details", { class: "own", open: s.draft !== null || host.querySelector("details.own")?.open }, h("summary", {}, t("ownText")),
          own, button(t("ownUse"), "own-use", () => act.own(own.value)))),
      table && h("div", {},
        h("h3", {}, t("plot")), plot(table, { chosen: stands, hover: point, take: act.take, label }),
        h("p", { class: "note" }, t("plotHint")), figures)),
  );
}

function alternatives(s, doc, ranked, stands, { act, point, preferred, label }) {
  const rows = s.row === null ? [null, ...ranked.order] : [...ranked.order, null];
  return h("ol", { class: "alts" }, rows.map((row) => {
    const value = row === null ? ranked.sourceScore : ranked.scores[row];
    const [shown, hidden] = [() => point(row), () => point()];
    const text = row === null ? h("em", {}, t("asIs")) : marked(s.source, editsIn(s, row));
    const score = h("span", { class: "score" }, bar(value), number(value));
    const isPreferred = row === preferred;
    return h("li", { class: row === stands ? "stands" : "", onpointerenter: shown, onpointerleave: hidden },
      button([score, h("span", { class: "alt", lang: doc.language }, text)], `take-${row}`, () => act.take(row),
        { class: "take", "aria-label": `${label(row)}; ${t("score")} ${number(value)}`, "aria-pressed": String(row === stands), onfocus: shown, onblur: hidden }),
      button(isPreferred ? "♥" : "♡", `prefer-${row}`, () => act.prefer(row),
        { class: "quiet prefer", "aria-pressed": String(isPreferred), "aria-label": `${t("prefer")}: ${label(row)}`, title: t("prefer") }));
  }));
}

function blocked(table, lang, open) {
  const stopped = table.candidates.filter((candidate) => candidate.blocked);
  const item = ({ text, blocked: why }) => h("li", {}, h("span", { class: "alt", lang }, text), h("span", { class: "reason" }, reason(why)));
  return stopped.length > 0 && h("details", { class: "blocked", open },
    h("summary", { "data-key": "blocked" }, t("blocked", { n: stopped.length })), h("ul", {}, stopped.map(item)));
}

function components(table, weights, row, label) {
  const values = row === null ? table.source_values : table.values[row];
  return h("table", {},
    h("caption", {}, `${t("scores")}: `, h("span", {}, label(row))),
    h("tr", {}, ["component", "inSource", "inThis", "weight"].map((name) => h("th", { scope: "col" }, t(name)))),
    table.components.map((name, k) => h("tr", { class: weights[name] ? "" : "idle" },
      h("th", { scope: "row", title: name }, named("c", name)), h("td", {}, number(table.source_values[k])),
      h("td", {}, bar(values[k]), number(values[k])), h("td", {}, weightShown(weights[name])))));
}

/** In plain words why the sentence reads as it does. */
function why(s, ranked, weights) {
  const { served } = s;
  if (!served) return [t("starting")];
  const changes = pieces(s.source, editsOf(s)).filter((part) => part.edit && !s.off.includes(part.index));
  if (s.own !== null || s.off.length) return [t(changes.length ? "whyEdited" : "whyYours"), ...changes.map(describe)];
  if (served.skipped || served.error) return [t(served.error ? "failed" : "skipped", { why: reason(served.error || served.skipped) })];
  const lines = s.pinned ? [t("whyYours")] : [];
  if (s.row === null) return [...lines, t("whySource"), ...(s.pinned ? [] : whySource(served, ranked))];
  if (s.row === served.choice && !tuned(state.doc) && served.why.length) return [...lines, `${served.why.join("; ")}.`.replace(/^./u, (first) => first.toUpperCase())];
  const dropped = changes.filter((part) => part.edit.kind === "delete").map((part) => part.before.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, ""));
  return [
    ...lines,
    ...compared("whyGain", "whyLoss", served.table, weights, s.row, served.table.source_values),
    ...(dropped.length ? [t("whyDropped", { list: dropped.map(quoted).join(", ") })] : []),
    ...ahead(served.table, ranked, weights, s.row),
  ];
}

function whySource({ table }, ranked) {
  if (!table?.candidates.length) return [t("whyNone")];
  if (!ranked.order.length) return [t("whyAllBlocked")];
  return [t("whyBelow", { best: number(ranked.scores[ranked.order[0]]), needed: number(ranked.needed) })];
}

/** Components in which a row is clearly above and below other values, those that decide most first. */
function compared(gain, loss, table, weights, row, others) {
  const values = table.values[row];
  const log = (value) => Math.log(Math.max(value, 1e-9));
  const effects = table.components.map((name, k) => [named("c", name), weights[name] * (log(values[k]) - log(others[k]))]);
  const clear = effects.filter(([, effect]) => Math.abs(effect) > 0.02).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  return [[gain, 1], [loss, -1]].flatMap(([message, sign]) => {
    const names = clear.filter(([, effect]) => effect * sign > 0).map(([name]) => name);
    return message && names.length ? [t(message, { list: names.join(", ") })] : [];
  });
}

function ahead(table, ranked, weights, row) {
  const next = ranked.order.find((other) => other !== row);
  const isFirst = ranked.order[0] === row;
  return next === undefined || !isFirst ? [] : compared("whyAhead", "", table, weights, row, table.values[next]);
}
