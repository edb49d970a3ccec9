// Skips quarantined tests: see flakestat_quarantine_vitest.mjs. Written by flakestat.
// FLAKESTAT_QUARANTINE_LIST names a file with one ["file","titles joined by > "] a line; an empty file name means every
// file.
import fs from 'node:fs';
import path from 'node:path';

const { beforeEach } = await import(/* @vite-ignore */ process.env.FLAKESTAT_VITEST_ENTRY);

// Vitest's reporter drops control characters from titles, and readers of XML turn line ends into blanks.
const plain = (text) => text.replace(/\s/g, ' ');
const spellings = (text) => [plain(text), plain(text).replace(/[\x00-\x1f\x7f]/g, '')];

const listed = new Set();
for (const line of fs.readFileSync(process.env.FLAKESTAT_QUARANTINE_LIST, 'utf8').split('\n')) {
  if (line === '') continue;
  const [file, titles] = JSON.parse(line);
  listed.add(JSON.stringify([file, plain(titles)]));
}

beforeEach((context) => {
  const task = context.task;
  const titles = [task.name];
  for (let suite = task.suite; suite && suite.name; suite = suite.suite) titles.unshift(suite.name);
  const files = ['', path.relative(process.cwd(), task.file.filepath), task.file.name];
  const names = spellings(titles.join(' > '));
  if (names.some((name) => files.some((file) => listed.has(JSON.stringify([file, name]))))) {
    context.skip(`quarantined: ${names[0]}`);
  }
});
