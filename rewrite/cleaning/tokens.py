"""Repairs of what the model's machinery leaves in a text: stop strings, special tokens, reasoning, odd characters."""

from __future__ import annotations

import re
import unicodedata

from rewrite.cleaning.context import Context

__all__ = [
    "LOST",
    "SPECIAL",
    "composed_letters",
    "end_token",
    "invisible_characters",
    "reasoning",
    "special_tokens",
    "stop_string",
    "tokenizer_marks",
    "unknown_characters",
]

_END = re.compile(r"</s>|<\|(?:endoftext|im_end|eot_id|end_of_text|end)\|>|<(?:eos|end_of_turn)>|\[EOS\]")
_LEFT_OVER = re.compile(
    r"""</?s> | <(?:pad|bos|eos|cls|sep|mask)> | \[(?:PAD|CLS|SEP|MASK|BOS|EOS)\] | <extra_id_\d{1,3}>
      | <\|(?:begin_of_text|endoftext|end_of_text|end|eot_id|im_end|startoftext)\|> | <end_of_turn>
      | ^\s*(?:<\|im_start\|>|<start_of_turn>|<\|start_header_id\|>)(?:assistant|model)?(?:<\|end_header_id\|>)?""",
    re.VERBOSE,
)
SPECIAL = re.compile(
    r"</?s>|<(?:pad|unk|bos|eos|cls|sep|mask)>|<\|\w{1,40}\|>|<(?:start|end)_of_turn>|<extra_id_\d{1,3}>"
    r"|\[(?:PAD|UNK|CLS|SEP|MASK|BOS|EOS|/?INST)\]|<</?SYS>>|</?think>"
)
"""A special token of some model family, wherever it stands."""

LOST = re.compile(r"(?:<unk>|\[UNK\]|\ufffd|\u2047)+")
"""What stands for a character that the tokenizer could not write; sentencepiece decodes it to U+2047."""

_REASONING = re.compile(r"</think>\s*")
_MARKS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<!`)``(?!`)|''", '"'),
        (r"[▁Ġ]", " "),
        (r"@@(?:\s+|$)", ""),
        (r"\s?@([-,.])@\s?", r"\1"),
        (r"-LRB-", "("),
        (r"-RRB-", ")"),
    )
)


def stop_string(text: str, context: Context) -> str:
    """Cuts at the first stop string."""
    places = [place for stop in context.stop if stop and (place := text.find(stop)) >= 0]
    return text[: min(places)].rstrip(" ") if places else text


def reasoning(text: str, context: Context) -> str:
    """Leaves out what the model thought aloud before its answer, up to `</think>`."""
    if "</think>" in context.source:
        return text
    return _REASONING.split(text)[-1]


def end_token(text: str, context: Context) -> str:
    """Cuts at the token by which a model ends its text, wherever something stands before it."""
    for match in _END.finditer(text):
        if match.group() not in context.source and _LEFT_OVER.sub("", text[: match.start()]).strip():
            return text[: match.start()].rstrip(" ")
    return text


def special_tokens(text: str, context: Context) -> str:
    """Removes padding, begin and end tokens that the tokenizer left in the text."""
    return _LEFT_OVER.sub(lambda match: match.group() if match.group() in context.source else "", text)


def unknown_characters(text: str, context: Context) -> str:
    """Removes `<unk>` and U+FFFD at the edge of a word; inside one a letter is lost, which a filter sees to."""

    def left(match: re.Match[str]) -> str:
        inside = text[: match.start()][-1:].isalnum() and text[match.end() :][:1].isalnum()
        return match.group() if inside else ""

    return LOST.sub(left, text)


def tokenizer_marks(text: str, context: Context) -> str:
    """Undoes how tokenizers write quotation marks, brackets, spaces and joints: two backticks, `-LRB-`, `@@`."""
    for pattern, replacement in _MARKS:
        if pattern.search(context.source) is None:
            text = pattern.sub(replacement, text)
    return text


def invisible_characters(text: str, context: Context) -> str:
    """Removes zero-width, control and private-use characters that the source does not have."""
    return "".join(c for c in text if c in context.source or not _invisible(c))


def composed_letters(text: str, context: Context) -> str:
    """Joins a letter and the accent after it into one character (NFC), as the source has them."""
    return unicodedata.normalize("NFC", text) if unicodedata.is_normalized("NFC", context.source) else text


def _invisible(character: str) -> bool:
    if character in "\ufffe\uffff":
        return True
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"} and not character.isspace()
