// Skips quarantined tests: mocha --require THIS_FILE. Written by flakestat.
// FLAKESTAT_QUARANTINE_LIST names a file with one ["file","full title"] a line; an empty file name means every file.
'use strict';

const fs = require('fs');
const path = require('path');

const listed = new Set();
for (const line of fs.readFileSync(process.env.FLAKESTAT_QUARANTINE_LIST, 'utf8').split('\n')) {
  if (line === '') continue;
  const [file, title] = JSON.parse(line);
  listed.add(JSON.stringify([file === '' ? '' : path.resolve(file), title]));
}

const isListed = (file, title) =>
  listed.has(JSON.stringify([file ? path.resolve(file) : '', title])) || listed.has(JSON.stringify(['', title]));

exports.mochaHooks = {
  beforeEach() {
    const test = this.currentTest;
    if (isListed(test.file, test.fullTitle())) this.skip();
  },
};
