"""Checks that the documents speak of files that exist: check_doc_paths.py [ROOT].

Looked at: `quoted` repository paths outside fenced blocks, and the targets of Markdown links. A quoted word is a
repository path when it begins with a folder of the repository or of src/, or is a Markdown file's name. The folder of a
layer that the table in ARCHITECTURE.md reserves need not be there yet.
"""

import pathlib
import re
import sys

import check_layers

FENCE = re.compile(r"^```.*?^```", re.M | re.S)
QUOTED = re.compile(r"`([A-Za-z0-9_.*/-]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FOLDERS = {"src", "tests", "docs", "tools", "scripts", "bench", "fuzz", "examples", "cmake", ".ci"}


def documents(root):
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("tests/**/README.md")])


def exists(base, pattern):
    return any(True for _ in base.glob(pattern)) if "*" in pattern else (base / pattern).exists()


def is_path(word, layers):
    first, slash, rest = word.partition("/")
    if not slash:
        return word.endswith(".md")
    return first in FOLDERS or (first in layers and "." in rest)


def reserved_folders(root):
    """The folders of all layers in the table."""
    try:
        table = check_layers.read_table((root / "ARCHITECTURE.md").read_text())
    except (OSError, ValueError):
        return set()
    return {f"src/{layer}/" for layer in table}


def check_document(root, document, layers, reserved=frozenset()):
    """Yields (word, whether it exists) for every path that the document mentions."""
    text = document.read_text()
    for target in LINK.findall(text):
        if "://" not in target and not target.startswith("mailto:"):
            yield target, (document.parent / target).exists()
    for word in QUOTED.findall(FENCE.sub("", text)):
        if is_path(word, layers):
            yield word, word in reserved or any(exists(base, word.rstrip("/")) for base in (root, root / "src", document.parent))


def check(root):
    """(complaints, number of mentions looked at)"""
    layers = {folder.name for folder in (root / "src").iterdir() if folder.is_dir()}
    reserved = reserved_folders(root)
    complaints, mentions = [], 0
    for document in documents(root):
        for word, found in check_document(root, document, layers, reserved):
            mentions += 1
            if not found:
                complaints.append(f"{document.relative_to(root)}: '{word}' does not exist")
    return complaints, mentions


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    complaints, mentions = check(root)
    print(*complaints, sep="\n")
    print(f"check_doc_paths: {mentions} mentions, {len(complaints)} of nothing")
    sys.exit(1 if complaints or mentions == 0 else 0)


if __name__ == "__main__":
    main()
