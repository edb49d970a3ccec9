"""Every report that a real runner wrote counts as its runner counted: tests/reports/manifest.json through `inspect`."""

import json
import os
import pathlib
import subprocess
import sys

reports = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"]) / "tests" / "reports"
entries = json.loads((reports / "manifest.json").read_text())
files = [str(reports / entry["file"]) for entry in entries]
done = subprocess.run([os.environ["FLAKESTAT"], "inspect", "--format", "json", "--counts", *files], capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(f"inspect ended with {done.returncode}: {done.stderr}")
shown = {pathlib.Path(file["file"]).name: file for file in json.loads(done.stdout)["files"]}

wrong = []
for entry in entries:
    seen = shown[pathlib.Path(entry["file"]).name]
    counts = {key: seen["counts"].get(key) for key in entry["expect"]}
    if seen["damaged"] or counts != entry["expect"]:
        wrong.append(f"{entry['file']}: expected {entry['expect']}, saw {counts}{', damaged' if seen['damaged'] else ''}")
print(*wrong, sep="\n")
print(f"{len(entries)} reports, {len(wrong)} read otherwise than their runner says")
sys.exit(1 if wrong or not entries else 0)
