"""Checks that tests/reports and its manifest.json name the same files, and that the counts there add up."""

import json
import pathlib
import sys

REPORTS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "reports"


def complaints(entries, files):
    """What is wrong between the manifest's entries and the files that are there."""
    named = [entry["file"] for entry in entries]
    for file in sorted(set(files) - set(named)):
        yield f"{file}: not in manifest.json"
    for file in sorted(set(named) - set(files)):
        yield f"{file}: in manifest.json, but not there"
    for entry in entries:
        expect = entry["expect"]
        parts = sum(expect[key] for key in ("failures", "errors", "skipped", "passed"))
        if expect["tests"] != parts or not entry["summary"]:
            yield f"{entry['file']}: counts that do not add up, or no summary of the tool"


def main():
    entries = json.loads((REPORTS / "manifest.json").read_text())
    files = [str(path.relative_to(REPORTS)) for path in REPORTS.glob("*/*.xml") if path.parent.name != "projects"]
    found = list(complaints(entries, files))
    print(*found, sep="\n")
    print(f"check_reports: {len(files)} reports of {len({file.split('/')[0] for file in files})} runners, {len(found)} complaints")
    sys.exit(1 if found or not files else 0)


if __name__ == "__main__":
    main()
