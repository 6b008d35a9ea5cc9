/** What is asked of the server: task, language, options of the task, protected words. */

import { $, h } from "./dom.js";
import { state } from "./model.js";
import { named, t, ui } from "./messages.js";
import { save } from "./store.js";

const OPTIONS = ["n", "strict", "ratio", "max_words", "sentences", "keep_entities", "seed"];

/** Fills `host` with choices of which one is taken. */
export function segment(host, options, chosen, choose) {
  const hadFocus = host.contains(document.activeElement);
  host.replaceChildren(...options.map(({ value, text, title }) => {
    const input = h("input", { type: "radio", name: host.id, value, onchange: () => choose(value) });
    input.checked = value === chosen;
    return h("label", { title }, input, h("span", {}, text));
  }));
  if (hadFocus) host.querySelector(":checked")?.focus();
}

export function showSettings() {
  const known = state.tasks.length ? state.tasks : [{ name: state.task, languages: [] }];
  const task = known.find(({ name }) => name === state.task) ?? known[0];
  state.task = task.name;
  const radio = ({ name, needs }) => ({ value: name, text: named("task", name), title: needs ? t("lacking", { needs }) : null });
  segment($("tasks"), known.map(radio), state.task, (value) => (save("task", (state.task = value)), showSettings()));
  const languages = ["", ...(task.languages.length ? task.languages : ["ru", "en"])];
  if (!languages.includes(state.lang)) state.lang = "";
  $("lang").replaceChildren(...languages.map((value) => h("option", { value }, named("lang", value || "auto"))));
  $("lang").value = state.lang;
  const declared = task.options?.properties ?? {};
  const offered = OPTIONS.filter((name) => name in declared);
  $("options").replaceChildren(...offered.map((name) => field(name, declared[name])));
}

/** An input for an option by its JSON schema; left empty, the server's default holds. */
function field(name, schema) {
  const mine = (state.options[state.task] ??= {});
  const kinds = [schema, ...(schema.anyOf ?? [])];
  const bound = (key) => kinds.find((kind) => kind[key] !== undefined)?.[key];
  const is = (wanted) => kinds.some(({ type }) => type === wanted);
  const input = h("input", is("boolean") ? { type: "checkbox" } : {
    type: "number", step: is("integer") ? 1 : "any", placeholder: schema.default,
    min: bound("minimum") ?? bound("exclusiveMinimum"), max: bound("maximum"),
  });
  if (is("boolean")) input.checked = mine[name] ?? false;
  else input.value = mine[name] ?? "";
  input.addEventListener("change", () => {
    if (is("boolean") ? input.checked : input.value) mine[name] = is("boolean") || input.valueAsNumber;
    else delete mine[name];
    save("options", state.options);
  });
  const label = h("span", { title: schema.description }, named("option", name));
  return h("label", { class: is("boolean") ? "check" : "field" }, is("boolean") ? [input, label] : [label, input]);
}

/** Words that are to be kept: of each line all that commas, semicolons or tabs separate. */
export const keptWords = () => [...new Set($("keep").value.split(/[\n,;\t]/).map((word) => word.trim()).filter(Boolean))];

export function showKept() {
  $("kept").textContent = keptWords().length ? t("keptCount", { n: keptWords().length }) : "";
}

/** The settings as the server takes them. */
export function asked() {
  const keep = keptWords();
  const options = { ...state.options[state.task], ...(keep.length ? { keep } : {}) };
  return { task: state.task, lang: state.lang || null, options, ui: ui() };
}
