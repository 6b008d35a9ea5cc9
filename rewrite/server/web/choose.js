/** The choice from a table of scores under weights: what rerank/select.py and rerank/weights.py do, tie by tie. */

const prepared = new WeakMap();

/** Order of texts by code points, as in Python; JavaScript's own is by UTF-16 units, where U+1F600 is below U+FFFD. */
export function byCodePoint(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      const isHigh = x >= 0xd800 && x <= 0xdfff;
      return isHigh === (y >= 0xd800 && y <= 0xdfff) ? x - y : isHigh ? 1 : -1;
    }
  }
  return a.length - b.length;
}

/** What no weight changes: logarithms, the rows that may be chosen, and the place of each where totals are equal. */
export function prepare(table) {
  if (!prepared.has(table)) {
    const { candidates, values, components } = table;
    const logs = Float64Array.from(values.flat(), Math.log);
    const free = candidates.map((_, row) => row).filter((row) => !candidates[row].blocked);
    const byName = (name) => (a, b) => byCodePoint(candidates[a][name], candidates[b][name]);
    const [byText, byGenerator] = [byName("text"), byName("generator")];
    const ordered = [...free].sort((a, b) => byText(a, b) || byGenerator(a, b));
    const place = new Int32Array(candidates.length);
    ordered.forEach((row, at) => (place[row] = at));
    const sourceLogs = Float64Array.from(table.source_values, Math.log);
    prepared.set(table, { logs, sourceLogs, free, place, width: components.length });
  }
  return prepared.get(table);
}

function sum(logs, start, exponents) {
  let total = 0;
  // A weight of 0 leaves its component out, even where its value is 0 and its logarithm −∞.
  for (let k = 0; k < exponents.length; k++) if (exponents[k] > 0) total += exponents[k] * logs[start + k];
  return total;
}

const exponentsOf = (table, weights) => Float64Array.from(table.components, (name) => weights[name] ?? 0);
const logThreshold = (threshold) => (threshold > 0 ? Math.log(threshold) : -Infinity);

/** The row that wins, or null where the source stands. */
export function select(table, weights) {
  const { logs, sourceLogs, free, place, width } = prepare(table);
  const exponents = exponentsOf(table, weights);
  let [best, most] = [-1, -Infinity];
  for (const row of free) {
    const total = sum(logs, row * width, exponents);
    if (best < 0 || total > most || (total === most && place[row] < place[best])) [best, most] = [row, total];
  }
  const needed = logThreshold(table.threshold) + sum(sourceLogs, 0, exponents);
  return best >= 0 && most > needed ? best : null;
}

/** All rows that may be chosen, best first, with the score of every row and of the source, and what was needed. */
export function rank(table, weights) {
  const { logs, sourceLogs, free, place, width } = prepare(table);
  const exponents = exponentsOf(table, weights);
  const totals = table.candidates.map((_, row) => sum(logs, row * width, exponents));
  // Not by difference: −∞ less −∞ is no number.
  const order = [...free].sort((a, b) => (totals[a] > totals[b] ? -1 : totals[a] < totals[b] ? 1 : place[a] - place[b]));
  const sourceTotal = sum(sourceLogs, 0, exponents);
  return {
    order,
    scores: totals.map((total) => score(total, weights)),
    sourceScore: score(sourceTotal, weights),
    needed: score(logThreshold(table.threshold) + sourceTotal, weights),
  };
}

/** The weighted geometric mean for `total` = log S: what people see. */
export function score(total, weights) {
  if (total === -Infinity) return 0;
  const whole = Object.values(weights).sort((a, b) => a - b).reduce((a, b) => a + b, 0);
  return whole > 0 ? Math.exp(total / whole) : 1;
}

/** Weights at `control` from 0 (close) to 10 (simple), between the presets that `knob` names. */
export function knobWeights(control, presets, knob) {
  const at = knob.findIndex(([position], i) => i > 0 && control <= position);
  const [[left, below], [right, above]] = [knob[at - 1], knob[at]];
  const share = (control - left) / (right - left);
  const names = Object.keys({ ...presets[below], ...presets[above] });
  const mixed = (name) => (1 - share) * (presets[below][name] ?? 0) + share * (presets[above][name] ?? 0);
  return Object.fromEntries(names.map((name) => [name, mixed(name)]));
}

/** A weight for each component; later `layers` count. */
export function resolve(components, ...layers) {
  const merged = Object.assign({}, ...layers);
  return Object.fromEntries(components.map((name) => [name, merged[name] ?? 0]));
}

const AXES = {
  meaning: ["similarity", "entities", "structure", "caution", "consensus", "coverage", "content", "bertscore"],
  simplicity: ["simplicity", "lexical", "depth", "length", "readability", "brevity", "splits", "ratio"],
};

/** Where a row of values lies on an axis: the geometric mean of those components that the axis is of, unweighted. */
function along(axis, table, values) {
  const logs = table.components.flatMap((name, k) => (AXES[axis].includes(name) ? [Math.log(values[k])] : []));
  return logs.length ? Math.exp(logs.reduce((a, b) => a + b) / logs.length) : 1;
}

/** Points of the plot: candidates and the source (row null), each with `front`: no free point is better in both. */
export function points(table) {
  const place = (values) => ({ x: along("meaning", table, values), y: along("simplicity", table, values) });
  const all = table.candidates.map(({ blocked }, row) => ({ row, blocked, ...place(table.values[row]) }));
  all.push({ row: null, blocked: "", ...place(table.source_values) });
  const beats = (q, p) => !q.blocked && q.x >= p.x && q.y >= p.y && (q.x > p.x || q.y > p.y);
  return all.map((p) => ({ ...p, front: !p.blocked && !all.some((q) => beats(q, p)) }));
}
