"""Checks every #include of src/ against the layer table in ARCHITECTURE.md: check_layers.py [ROOT].

The table is the fenced block that starts with ```layers: one layer a line, lowest first, `name: layer layer ...`.
A layer includes itself and what its line names, nothing else. `testing` is for tests: *_test.cpp, and headers that only tests
include. A header that includes `testing` is such a header, and so is one that includes such a header.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
ROOT_FILES = "(root)"  # the row of the files that lie in src/ itself


def read_table(text):
    """Layer -> set of layers it may include. Raises ValueError for a table that could let a cycle form."""
    block = re.search(r"^```layers\n(.*?)^```", text, re.M | re.S)
    if not block:
        raise ValueError("ARCHITECTURE.md has no ```layers block")
    table = {}
    for line in filter(None, map(str.strip, block.group(1).splitlines())):
        name, separator, allowed = line.partition(":")
        if not separator or name in table:
            raise ValueError(f"layer table: cannot use the line '{line}'")
        for other in allowed.split():
            if other not in table:
                raise ValueError(f"layer table: '{name}' may include '{other}', which does not stand above it")
        table[name] = set(allowed.split())
    return table


def layer_of(path):
    """The longest folder name that a table row can have: 'inject/preload/x.cpp' belongs to 'inject'."""
    return path.parts[0] if len(path.parts) > 1 else ROOT_FILES


def is_for_tests(source):
    """Whether a file may be a test's: a test, or a header (which then binds those that include it)."""
    return source.name.endswith("_test.cpp") or source.suffix in {".hpp", ".h"}


def includes_of(source):
    """(line number, quote, target) of every include."""
    for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def test_helpers(src):
    """Headers that include `testing`, directly or through another such header, as written in an include."""
    targets = {str(path.relative_to(src)): {target for _, _, target in includes_of(path)}
               for path in src.rglob("*.hpp") if layer_of(path.relative_to(src)) != "testing"}
    helpers = {name for name, includes in targets.items() if any(target.startswith("testing/") for target in includes)}
    while True:
        more = {name for name, includes in targets.items() if includes & helpers} - helpers
        if not more:
            return helpers
        helpers |= more


def check_include(table, helpers, source, quote, target, src):
    """The complaint about one include, or None."""
    first = target.split("/")[0]
    inside = (src / target).exists() or first in table
    if quote == "<" and not inside:
        return None
    if ".." in target.split("/") or (source.parent != src and (source.parent / target).exists() and "/" not in target):
        return f"write '{target}' from src/: \"layer/file.hpp\""
    if "/" not in target:
        return None  # a library's header in quotes
    if first not in table:
        return f"'{target}' is in no known layer"
    own = layer_of(source.relative_to(src))
    if target in helpers and not is_for_tests(source):
        return f"'{target}' is for tests only, since it includes testing"
    if first == own or first in table[own]:
        return None
    if first == "testing":
        return None if is_for_tests(source) else f"'{target}': testing is for tests only"
    return f"'{own}' may not include '{target}' (allowed: {' '.join(sorted(table[own])) or 'nothing'})"


def check(root):
    """(complaints, files looked at, includes looked at)"""
    src = root / "src"
    table = read_table((root / "ARCHITECTURE.md").read_text())
    helpers = test_helpers(src)
    complaints, files, includes = [], 0, 0
    for source in sorted(p for p in src.rglob("*") if p.suffix in {".cpp", ".hpp", ".h", ".c"}):
        files += 1
        own = layer_of(source.relative_to(src))
        if own not in table:
            complaints.append(f"{source.relative_to(root)}: the folder '{own}' is not in the layer table")
            continue
        for number, quote, target in includes_of(source):
            includes += 1
            complaint = check_include(table, helpers, source, quote, target, src)
            if complaint:
                complaints.append(f"{source.relative_to(root)}:{number}: {complaint}")
    return complaints, files, includes


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    try:
        complaints, files, includes = check(root)
    except (OSError, ValueError) as error:
        sys.exit(f"check_layers: {error}")
    print(*complaints, sep="\n")
    print(f"check_layers: {includes} includes in {files} files, {len(complaints)} violations")
    sys.exit(1 if complaints or files == 0 or includes == 0 else 0)


if __name__ == "__main__":
    main()
