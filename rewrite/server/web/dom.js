/** Elements from code. Text only ever becomes a text node. */

export const $ = (id) => document.getElementById(id);
export const on = (id, event, act) => $(id).addEventListener(event, act);

const SVG = new Set(["svg", "g", "circle", "path", "line", "text", "rect"]);

/** An element with attributes (functions are listeners: `onclick`) and children; null, false and undefined are left out. */
export function h(tag, attributes = {}, ...children) {
  const space = SVG.has(tag) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Calls `act` once things have been quiet for `wait` milliseconds; `now` does at once what still waits. */
export function later(act, wait) {
  let timer = 0;
  const now = () => timer && (clearTimeout(timer), (timer = 0), act());
  return Object.assign(() => (clearTimeout(timer), (timer = setTimeout(now, wait))), { now });
}
