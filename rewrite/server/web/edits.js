/** Edits between a sentence and its rewrite, in code points, and sentences put together from some of them. */

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:[-'’.][\p{L}\p{M}\p{N}]+)*|[^\s]/gu;

/** Words and signs with their places, in UTF-16 units. */
const tokens = (text) => Array.from(text.matchAll(TOKEN), ({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));

/** Pairs of places of equal tokens, as many as can be in order; of equally many, words rather than signs. */
function common(a, b) {
  const width = b.length + 1;
  const most = new Float64Array((a.length + 1) * width);
  const worth = (token) => (/[\p{L}\p{N}]/u.test(token.text) ? 1 : 0.3);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const skip = Math.max(most[(i + 1) * width + j], most[i * width + j + 1]);
      const take = a[i].text === b[j].text ? most[(i + 1) * width + j + 1] + worth(a[i]) : 0;
      most[i * width + j] = Math.max(skip, take);
    }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const here = most[i * width + j];
    if (a[i].text === b[j].text && here === most[(i + 1) * width + j + 1] + worth(a[i])) pairs.push([i++, j++]);
    else if (here === most[(i + 1) * width + j]) i++;
    else j++;
  }
  return pairs;
}

function kindOf(before, after) {
  if (!after.trim()) return "delete";
  if (!before.trim()) return "insert";
  return /[.!?…]\s/u.test(after) && !/[.!?…]\s/u.test(before) ? "split" : "replace";
}

/** Edits of whole words that make `text` of `source`; applied together they give it to the last space. */
export function findEdits(source, text) {
  const [a, b] = [tokens(source), tokens(text)];
  const place = codePoints(source);
  const same = common(a, b).map(([i, j]) => [a[i], b[j]]);
  const edits = [];
  let [from, to] = [0, 0];
  for (const [old, now] of [...same, [{ start: source.length }, { start: text.length }]]) {
    let [start, end, first, last] = [from, old.start, to, now.start];
    const isShared = (x, y) => start < end && first < last && source[x] === text[y] && /\s/u.test(source[x]);
    while (isShared(start, first)) [start, first] = [start + 1, first + 1];
    while (isShared(end - 1, last - 1)) [end, last] = [end - 1, last - 1];
    const [before, after] = [source.slice(start, end), text.slice(first, last)];
    const kind = kindOf(before, after);
    if (before !== after) edits.push({ start: place(start), end: place(end), replacement: after, why: "", kind });
    [from, to] = [old.end, now.end];
  }
  return edits;
}

/** From a place in UTF-16 units to one in code points. */
function codePoints(text) {
  if (!/[\ud800-\udbff]/.test(text)) return (place) => place;
  return (place) => Array.from(text.slice(0, place)).length;
}

/** The sentence in pieces: text that stays as it is, and edits with the words they take away (`before`). */
export function pieces(source, edits) {
  const points = Array.from(source);
  const parts = [];
  let at = 0;
  edits.forEach((edit, index) => {
    if (edit.start > at) parts.push({ text: points.slice(at, edit.start).join("") });
    parts.push({ edit, index, before: points.slice(edit.start, edit.end).join("") });
    at = edit.end;
  });
  if (at < points.length) parts.push({ text: points.slice(at).join("") });
  return parts;
}

/** `source` with those of `edits` whose places are not in `off`. */
export function apply(source, edits, off = []) {
  return pieces(source, edits).map((part) => part.text ?? (off.includes(part.index) ? part.before : part.edit.replacement)).join("");
}
