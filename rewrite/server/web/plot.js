/** Meaning × simplicity of a sentence's candidates, with the Pareto front. */

import { h } from "./dom.js";
import { points } from "./choose.js";
import { number, t } from "./messages.js";

const [WIDTH, HEIGHT, EDGE] = [300, 220, 26];

/** From a value to a place, so that the values fill the plot. */
function scale(values, from, to) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const pad = Math.max((high - low) * 0.08, 0.005);
  return (value) => from + ((value - low + pad) / (high - low + 2 * pad)) * (to - from);
}

/** `chosen` is a row or null; `hover(row)` is told what is pointed at, `take(row)` what is clicked; `label(row)` names it. */
export function plot(table, { chosen, hover, take, label }) {
  const all = points(table);
  const x = scale(all.map((p) => p.x), EDGE, WIDTH - 10);
  const y = scale(all.map((p) => p.y), HEIGHT - EDGE, 10);
  const front = all.filter((p) => p.front).sort((a, b) => a.x - b.x || b.y - a.y);
  const path = front.map((p, i) => `${i ? "L" : "M"}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join("");
  // Blocked ones lie below those that can be taken, and the one that stands lies on top.
  const height = (p) => (p.row === chosen ? 2 : p.blocked ? 0 : 1);
  const marks = [...all].sort((a, b) => height(a) - height(b)).map((p) => {
    const kind = [p.front && "front", p.blocked && "no", p.row === null && "source", p.row === chosen && "chosen"];
    const said = `${label(p.row)}; ${t("point", { x: number(p.x), y: number(p.y) })}`;
    const hovering = { onpointerenter: () => hover(p.row), onfocus: () => hover(p.row), onpointerleave: () => hover(), onblur: () => hover() };
    return h("g", {
      class: ["point", ...kind.filter(Boolean)].join(" "), role: "option", tabindex: p.row === chosen ? "0" : "-1",
      transform: `translate(${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)})`, "data-key": `point-${p.row}`, "data-x": p.x,
      "aria-selected": String(p.row === chosen), "aria-disabled": p.blocked ? "true" : null, "aria-label": said,
      onclick: () => !p.blocked && take(p.row), ...hovering,
    }, h("circle", { r: 9, class: "reach" }), h("circle", { r: p.row === chosen ? 6 : 4 }));
  });
  if (!marks.some((mark) => mark.getAttribute("tabindex") === "0")) marks[0].setAttribute("tabindex", "0");
  return h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "listbox", "aria-label": t("plot"), onkeydown: walk },
    h("path", { class: "axis", d: `M${EDGE} 6V${HEIGHT - EDGE}H${WIDTH - 6}` }),
    h("text", { x: WIDTH - 8, y: HEIGHT - 8, "text-anchor": "end" }, t("meaning")),
    h("text", { x: -8, y: 16, "text-anchor": "end", transform: "rotate(-90)" }, t("simplicity")),
    h("path", { class: "frontline", d: path }), marks);
}

/** Arrow keys go from point to point, from left to right; Enter and space take. */
function walk(event) {
  const order = [...event.currentTarget.querySelectorAll(".point")].sort((a, b) => a.dataset.x - b.dataset.x);
  const at = order.indexOf(event.target);
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  const next = { Home: order[0], End: order.at(-1) }[event.key] ?? (step && order[at + step]);
  if (next) {
    order.forEach((mark) => mark.setAttribute("tabindex", mark === next ? "0" : "-1"));
    next.focus();
  } else if (event.key === "Enter" || event.key === " ") event.target.dispatchEvent(new MouseEvent("click"));
  else if (!step) return;
  event.preventDefault();
}
