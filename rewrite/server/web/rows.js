/** The rewrite, sentence by sentence, beside the source. Only what has changed is drawn again. */

import { h } from "./dom.js";
import { pieces } from "./edits.js";
import { editsOf, held, textOf } from "./model.js";
import { reason, t } from "./messages.js";

export function describe({ edit, before }) {
  const what = before.trim() ? (edit.replacement.trim() ? "replaced" : "deleted") : "inserted";
  const said = t(what, { before: before.trim(), after: edit.replacement.trim() });
  return edit.why ? `${said}: ${edit.why}` : said;
}

/** Words that went or came; the spaces around them are not marked. */
function change(tag, text) {
  const [, before, words, after] = text.match(/^(\s*)([^]*?)(\s*)$/u);
  return words && h(tag, {}, before, h("span", {}, words), after);
}

/** Text with changes marked; with `live`, each change is a button. */
export function marked(source, edits, { off = [], live = false } = {}) {
  return pieces(source, edits).map((part) => {
    if (part.text !== undefined) return part.text;
    const { before, edit, index } = part;
    const isOff = off.includes(index);
    const words = isOff ? [before || "⁺"] : [change("del", before), change("ins", edit.replacement)].filter(Boolean);
    if (!live) return h("span", {}, words);
    const label = describe(part);
    const said = { "aria-pressed": String(!isOff), "aria-label": label + (isOff ? t("rejected") : ""), title: label };
    return h("span", { class: "edit", role: "button", tabindex: "0", "data-edit": index, ...said }, words);
  });
}

export class Rows {
  /** `act` has toggle(i, edit), open(i) and close(). */
  constructor(list, act) {
    Object.assign(this, { list, act, rows: [], doc: null, opened: -1, draw: null });
    list.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (!row || event.target.closest(".panel")) return;
      const edit = event.target.closest("[data-edit]");
      if (edit) act.toggle(Number(row.dataset.i), Number(edit.dataset.edit));
      else if (getSelection().isCollapsed) act.open(Number(row.dataset.i));
    });
    list.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const row = event.target.closest(".row");
    if (event.key === "Escape" && this.opened >= 0) {
      this.rows[this.opened].num.focus();
      this.act.close();
    } else if (event.target.dataset.edit !== undefined && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      event.target.click();
    } else if (event.target.classList.contains("num") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.rows[Number(row.dataset.i) + (event.key === "ArrowDown" ? 1 : -1)]?.num.focus();
    }
  }

  /** Draws all sentences of a text anew. */
  show(doc) {
    Object.assign(this, { doc, opened: -1, draw: null });
    this.rows = (doc?.sentences ?? []).map((s, i) => {
      const label = t("sentence", { n: i + 1 });
      const num = h("button", { type: "button", class: "num", "aria-expanded": "false", "aria-label": label }, String(i + 1));
      const [src, out] = ["src", "out"].map((name) => h("div", { class: name, lang: doc.language }));
      const flags = h("div", { class: "flags" });
      const line = h("div", { class: "line" }, num, src, h("div", { class: "right" }, out, flags));
      const startsParagraph = i > 0 && doc.gaps[i].includes("\n");
      const el = h("li", { class: startsParagraph ? "row para" : "row", "data-i": i }, line);
      return { el, num, src, out, flags, shown: "" };
    });
    this.list.replaceChildren(...this.rows.map((row) => row.el));
    this.rows.forEach((_, i) => this.update(i));
  }

  update(i) {
    const [s, row] = [this.doc.sentences[i], this.rows[i]];
    const now = JSON.stringify([!s.served, s.row, s.off, s.own, s.pinned, s.check]);
    if (now === row.shown) return;
    row.shown = now;
    const focused = row.out.contains(document.activeElement) ? document.activeElement.dataset.edit : null;
    const edits = editsOf(s);
    row.out.replaceChildren(...marked(s.source, edits, { off: s.off, live: true }));
    if (focused !== null) row.out.querySelector(`[data-edit="${focused}"]`)?.focus();
    const gone = ({ before, index }) => (s.off.includes(index) ? before : h("span", { class: "gone" }, before));
    row.src.replaceChildren(...pieces(s.source, edits).map((part) => part.text ?? gone(part)));
    row.el.classList.toggle("pending", !s.served);
    row.el.classList.toggle("same", Boolean(s.served) && textOf(s) === s.source);
    row.el.setAttribute("aria-busy", String(!s.served));
    row.flags.replaceChildren(...this.flagsOf(s));
    if (i === this.opened) this.refresh();
  }

  flagsOf(s) {
    const flag = (kind, text) => h("span", { class: `flag ${kind}` }, text);
    const flags = [];
    if (s.served?.error) flags.push(flag("bad", t("failed", { why: reason(s.served.error) })));
    if (s.check?.status === "blocked") flags.push(flag("bad", t("blockedHere", { why: reason(s.check.why) })));
    if (s.check?.status === "wait") flags.push(flag("", t("checking")));
    if (s.check?.status === "failed") flags.push(flag("", t("unchecked")));
    if (held(s)) flags.push(flag("hand", t("byHand")));
    return flags;
  }

  /** Unfolds sentence `i`; `draw` makes the panel, now and whenever the choice changes. */
  open(i, draw) {
    this.close();
    this.host = h("section", { class: "panel", id: `panel-${i}`, "aria-label": t("sentence", { n: i + 1 }) });
    Object.assign(this, { opened: i, draw });
    this.rows[i].el.append(this.host);
    this.unfolded(true);
    this.refresh();
  }

  close() {
    if (this.opened < 0) return;
    this.unfolded(false);
    this.host.remove();
    Object.assign(this, { opened: -1, draw: null });
  }

  unfolded(isOpen) {
    const { el, num } = this.rows[this.opened];
    el.classList.toggle("open", isOpen);
    num.setAttribute("aria-expanded", String(isOpen));
  }

  /** Draws the panel anew; what had the focus in it has it again, and what was typed stays. */
  refresh() {
    if (this.opened < 0) return;
    const focused = this.host.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.draw(this.host);
    const find = (key) => this.host.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (focused) (find(focused) ?? find("close")).focus();
  }
}
