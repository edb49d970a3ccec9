// Skips quarantined tests: mocha --require THIS_FILE. Written by flakestat.
// FLAKESTAT_QUARANTINE_LIST names a file with one ["file","full title"] a line; an empty file name means every file.
'use strict';

const fs = require('fs');
const path = require('path');

// Mocha's reporters drop colours from titles, and readers of XML turn line ends into blanks.
const plain = (text) => text.replace(/\s/g, ' ');
const spellings = (text) => [plain(text), plain(text.replace(/\x1b\[[0-9;]*[A-Za-z]/g, ''))];

const listed = new Set();
for (const line of fs.readFileSync(process.env.FLAKESTAT_QUARANTINE_LIST, 'utf8').split('\n')) {
  if (line === '') continue;
  const [file, title] = JSON.parse(line);
  listed.add(JSON.stringify([file === '' ? '' : path.resolve(file), plain(title)]));
}

function isListed(test) {
  const files = ['', test.file ? path.resolve(test.file) : ''];
  return spellings(test.fullTitle()).some((title) => files.some((file) => listed.has(JSON.stringify([file, title]))));
}

exports.mochaHooks = {
  beforeEach() {
    if (isListed(this.currentTest)) this.skip();
  },
};
