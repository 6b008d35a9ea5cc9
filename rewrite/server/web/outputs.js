/** What leaves the page: the clipboard and files. */

import { post } from "./api.js";
import { h } from "./dom.js";
import { pieces } from "./edits.js";
import { docText, editsOf, held, textOf, weightsNow } from "./model.js";
import { t } from "./messages.js";

export function download(name, content, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([content], { type: content.type ?? `${type};charset=utf-8` }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Whether the text is in the clipboard now. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https, away from this machine, there is no clipboard to write to but this.
    const focused = document.activeElement;
    const area = h("textarea", { class: "hidden" }, text);
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    focused.focus();
    return isCopied;
  }
}

const standing = (s) => editsOf(s).filter((_, index) => !s.off.includes(index));

/** Characters that Markdown reads as marks stand as themselves. */
const plain = (text) => text.replace(/[\\`*_{}[\]<>#|~]/g, "\\$&").replaceAll("\n", " ");

function markdown(doc) {
  const rows = doc.sentences.filter((s) => textOf(s) !== s.source).map((s) => {
    const parts = pieces(s.source, standing(s)).map((part) => {
      if (part.text !== undefined) return plain(part.text);
      const mark = (sign, text) => text.replace(/\S(?:[^]*\S)?/u, (words) => sign + plain(words) + sign);
      const [gone, came] = [mark("~~", part.before), mark("**", part.edit.replacement.replaceAll("\n", " "))];
      return /\S$/.test(gone) && /^\S/.test(came) ? `${gone} ${came}` : gone + came;
    });
    return `- ${parts.join("")}\n`;
  });
  const text = docText(doc).split("\n").map(plain).join("\n");
  return `${text}\n${rows.length ? `\n## ${t("view.changes")}\n\n${rows.join("")}` : ""}`;
}

function jsonl(doc) {
  const weights = weightsNow(doc);
  const row = (s) => {
    const table = s.off.length || s.own !== null ? null : s.served?.table;
    const values = table && (s.row === null ? table.source_values : table.values[s.row]);
    return {
      source: s.source, text: textOf(s), chosen: held(s) ? "hand" : "weights",
      components: values ? Object.fromEntries(table.components.map((name, k) => [name, values[k]])) : undefined,
      generator: (table && table.candidates[s.row]?.generator) || undefined,
      edits: standing(s), blocked: s.check?.why, language: doc.language, weights,
      signature: doc.signature?.replace(/[|]weights:.*$/, ""), // those of the first answer; these stand beside it
    };
  };
  return doc.sentences.map((s) => `${JSON.stringify(row(s))}\n`).join("");
}

/** The Word file that the server makes of the text and its edits, at their places in the whole. */
function docx(doc) {
  let [text, end] = ["", 0];
  const put = (part) => ([text, end] = [text + part, end + Array.from(part).length]);
  const edits = doc.sentences.flatMap((s, i) => {
    const at = put(doc.gaps[i])[1];
    put(s.source);
    return standing(s).map(({ start, end: stop, replacement }) => ({ start: at + start, end: at + stop, replacement }));
  });
  return post("v1/document", { text: text + doc.gaps.at(-1), edits }, "blob");
}

/** The file of a text, as `txt`, `md`, `jsonl` or `docx`. */
export async function fileOf(doc, as) {
  const make = { txt: (d) => `${docText(d)}\n`, md: markdown, jsonl, docx };
  const type = { txt: "text/plain", md: "text/markdown", jsonl: "application/x-ndjson" };
  return [`rewrite.${as}`, await make[as](doc), type[as]];
}
