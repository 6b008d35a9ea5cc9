/** What leaves the page: the clipboard and files. */

import { h } from "./dom.js";
import { pieces } from "./edits.js";
import { docText, editsOf, held, textOf, weightsNow } from "./model.js";
import { t } from "./messages.js";

export function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
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

/** Characters that Markdown reads as marks stand as themselves. */
const plain = (text) => text.replace(/[\\`*_{}[\]<>#|~]/g, "\\$&").replaceAll("\n", " ");

function markdown(doc) {
  const rows = doc.sentences.filter((s) => textOf(s) !== s.source).map((s) => {
    const parts = pieces(s.source, editsOf(s)).map((part) => {
      if (part.text !== undefined) return plain(part.text);
      if (s.off.includes(part.index)) return plain(part.before);
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
      edits: editsOf(s).filter((_, index) => !s.off.includes(index)), blocked: s.check?.why, language: doc.language, weights,
      signature: doc.signature?.replace(/[|]weights:.*$/, ""), // those of the first answer; these stand beside it
    };
  };
  return doc.sentences.map((s) => `${JSON.stringify(row(s))}\n`).join("");
}

/** The file of a text, as `txt`, `md` or `jsonl`. */
export function fileOf(doc, as) {
  const make = { txt: (d) => `${docText(d)}\n`, md: markdown, jsonl };
  const type = { txt: "text/plain", md: "text/markdown", jsonl: "application/x-ndjson" };
  return [`rewrite.${as}`, make[as](doc), type[as]];
}
