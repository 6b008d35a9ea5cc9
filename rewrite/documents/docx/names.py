"""Names of elements without their namespaces, of which Word has two: transitional and strict."""

from __future__ import annotations

from lxml import etree

_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m:",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m:",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc:",
}
SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def kind(node: etree._Element) -> str:
    """The name of an element: `p` of Word, `m:oMath`, or with its namespace; empty for comments and the like."""
    if not isinstance(node.tag, str):
        return ""
    space, _, name = node.tag[1:].rpartition("}")
    return _PREFIXES.get(space, f"{space}:") + name


def space_of(node: etree._Element) -> str:
    """The namespace of an element, in the braces of lxml."""
    return f"{node.tag.rpartition('}')[0]}}}"


def child(node: etree._Element, name: str) -> etree._Element | None:
    """Word's element `name` in another, if it is there."""
    return next((other for other in node if kind(other) == name), None)


def value(node: etree._Element | None, name: str = "val") -> str:
    """Word's attribute `name` of an element."""
    return "" if node is None else str(node.get(space_of(node) + name, ""))


def made(like: etree._Element, name: str, **attributes: str) -> etree._Element:
    """A new element of Word's namespace, that of `like`."""
    space = space_of(like)
    return etree.Element(space + name, {space + key: text for key, text in attributes.items()}, {"w": space[1:-1]})
