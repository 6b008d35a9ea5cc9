/** The knob, the sliders, presets, and weights learnt from choices. */

import { post } from "./api.js";
import { knobWeights } from "./choose.js";
import { $, h, on } from "./dom.js";
import { components, key, presetsFor, state, tune, tuned, weightsNow } from "./model.js";
import { named, number, t, weightShown } from "./messages.js";
import { download } from "./outputs.js";
import { save } from "./store.js";

const ENOUGH = 10;

/** `changed` is called after every change of weights, `say` with a line for the user, `failed` with an error. */
export function createTune({ changed, say, failed }) {
  const sliders = new Map(); // by component: { input, output }
  const mine = () => state.presets.filter((preset) => preset.key === key());
  const choices = () => state.choices[key()] ?? [];
  const presetName = () => $("preset-name").value.trim();

  function apply(setting) {
    tune(state.doc, setting);
    changed();
    show();
  }

  function savePresets(name, weights) {
    const others = state.presets.filter((preset) => preset.key !== key() || preset.name !== name);
    save("presets", (state.presets = weights ? [...others, { name, key: key(), weights }] : others));
    apply({ weights: weightsNow(state.doc), ...(weights && { preset: name }) });
  }

  on("knob", "input", () => {
    const knob = $("knob").valueAsNumber;
    apply({ weights: knobWeights(knob, presetsFor(state.doc), state.served.knob), knob });
  });
  on("preset", "change", () => {
    const [kind, name] = [$("preset").value[0], $("preset").value.slice(1)];
    const known = presetsFor(state.doc);
    if (kind === "-") apply(null);
    else if (kind === "s") apply({ weights: { ...known.balanced, ...known[name] }, preset: name });
    else if (kind === "o") apply({ weights: mine().find((preset) => preset.name === name).weights, preset: name });
  });
  on("preset-save", "click", () => {
    const name = presetName();
    if (!name) return $("preset-name").focus();
    savePresets(name, weightsNow(state.doc));
    say(t("saved", { name }));
  });
  on("preset-remove", "click", () => (savePresets(tuned(state.doc)?.preset), $("preset").focus()));
  on("preset-download", "click", () => {
    // The form that --preset of the command line reads; YAML takes 1e-7 for a word.
    const name = presetName() || tuned(state.doc)?.preset || "weights";
    const plain = (weight) => (String(weight).includes("e") ? weight.toFixed(12) : weight);
    const lines = Object.entries(weightsNow(state.doc)).map(([part, weight]) => `  ${part}: ${plain(weight)}\n`);
    download(`${name}.yaml`, `name: ${JSON.stringify(name)}\nweights:\n${lines.join("")}`);
  });
  on("learn", "click", async () => {
    const { task, language: lang } = state.doc;
    const body = { choices: choices(), task, lang, start: weightsNow(state.doc) };
    try {
      $("learnt").replaceChildren(...comparison(await post("v1/preferences", body), choices().length));
      $("learnt").querySelector("button").focus();
    } catch (error) {
      failed(error, () => $("learn").click());
    }
  });
  on("forget", "click", () => {
    delete state.choices[key()];
    save("choices", state.choices);
    $("learnt").replaceChildren();
    show();
    $("weights").firstElementChild.focus();
  });

  function comparison({ weights, agreement }, n) {
    const before = weightsNow(state.doc);
    const count = (share) => number(share * n, 0);
    const cells = (name) => [before[name] ?? 0, weights[name]].map((weight) => h("td", {}, number(weight)));
    const row = (name) => h("tr", {}, h("th", { scope: "row", title: name }, named("c", name)), cells(name));
    const heads = ["component", "now", "learned"].map((name) => h("th", { scope: "col" }, t(name)));
    return [
      h("p", {}, t("learnt", { after: count(agreement.after), before: count(agreement.before), n })),
      h("table", {}, h("tr", {}, heads), Object.keys(weights).map(row)),
      h("button", { type: "button", class: "primary", onclick: () => apply({ weights }) }, t("use")),
    ];
  }

  function makeSliders(names) {
    sliders.clear();
    const made = names.map((name) => {
      const input = h("input", { type: "range", min: 0, max: 15, step: 0.05, id: `w-${name}` });
      const output = h("output", { for: input.id, "aria-live": "off" }); // the slider itself says its value
      input.addEventListener("input", () => apply({ weights: { ...weightsNow(state.doc), [name]: input.valueAsNumber } }));
      sliders.set(name, { input, output });
      return h("div", { class: "slider" }, h("label", { for: input.id, title: name }, named("c", name)), input, output);
    });
    $("sliders").replaceChildren(...made);
  }

  function showPresets(setting) {
    const option = (value, text) => h("option", { value }, text);
    const group = (kind, names) => names.map((name) => option(kind + name, kind === "s" ? named("preset", name) : name));
    const own = mine().map((preset) => preset.name);
    const chosen = !setting ? "-" : own.includes(setting.preset) ? `o${setting.preset}` : setting.preset ? `s${setting.preset}` : "?";
    const options = [option("-", t("preset.served")), group("s", Object.keys(presetsFor(state.doc))), group("o", own)].flat();
    $("preset").replaceChildren(...options, ...(chosen === "?" ? [option("?", t("own"))] : []));
    $("preset").value = chosen;
    $("preset-remove").hidden = chosen[0] !== "o";
  }

  /** What the weights of the server are called: by the preset that they are, where they are one. */
  function servedName(doc) {
    const isSame = ([, preset]) => components(doc).every((name) => (preset[name] ?? 0) === (doc.weights[name] ?? 0));
    const name = Object.entries(presetsFor(doc)).find(isSame)?.[0];
    return name ? named("preset", name) : t("preset.served");
  }

  let shown = "";

  /** Puts the controls where the weights are; `anew` after a change of language or text. */
  function show({ anew = false } = {}) {
    const { doc } = state;
    const names = doc ? components(doc) : [];
    $("tune").hidden = !names.length;
    if (!names.length) return;
    if (anew || [...sliders.keys()].join() !== names.join()) makeSliders(names);
    const [weights, setting] = [weightsNow(doc), tuned(doc)];
    for (const [name, { input, output }] of sliders) {
      if (weights[name] > input.max) input.max = Math.ceil(weights[name]);
      if (document.activeElement !== input) input.value = weights[name];
      output.textContent = weightShown(weights[name]);
    }
    const known = presetsFor(doc);
    $("knob").disabled = !state.served.knob?.every(([, name]) => known[name]);
    $("knob").value = setting?.knob ?? 5;
    $("knob").classList.toggle("unset", setting?.knob === undefined);
    const preset = setting ? (setting.preset ? named("preset", setting.preset) : t("own")) : servedName(doc);
    const said = setting?.knob === undefined ? `${t("preset")}: ${preset}` : number(setting.knob, 1);
    $("knob-end").textContent = named("end", doc.task);
    $("knob-value").textContent = said;
    $("knob").setAttribute("aria-valuetext", said);
    // Lists cost more than they change while a slider moves.
    const lists = JSON.stringify([setting?.preset, !setting, setting?.knob === undefined, state.presets, key(), choices().length, names]);
    if (!anew && lists === shown) return;
    shown = lists;
    showPresets(setting);
    $("learn-note").textContent = t("learnNote", { n: choices().length });
    $("learn").disabled = choices().length < ENOUGH;
    $("forget").hidden = !choices().length;
  }

  return { show };
}
