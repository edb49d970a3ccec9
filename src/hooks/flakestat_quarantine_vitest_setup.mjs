// Skips quarantined tests: see flakestat_quarantine_vitest.mjs. Written by flakestat.
// FLAKESTAT_QUARANTINE_LIST names a file with one ["file","titles joined by > "] a line; an empty file name means every
// file.
import fs from 'node:fs';
import path from 'node:path';

const { beforeEach } = await import(/* @vite-ignore */ process.env.FLAKESTAT_VITEST_ENTRY);

// The JUnit reporter writes line ends as blanks and drops what XML cannot hold: both sides are brought to that form.
// eslint-disable-next-line no-control-regex
const plain = (text) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '').replace(/\s/g, ' ');

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
  const name = plain(titles.join(' > '));
  const file = path.relative(process.cwd(), task.file.filepath);
  const wanted = ['', file, task.file.name];
  if (wanted.some((one) => listed.has(JSON.stringify([one, name])))) context.skip(`quarantined: ${name}`);
});
