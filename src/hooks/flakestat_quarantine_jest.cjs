// Skips quarantined tests: jest --env=THIS_FILE. Written by flakestat.
// FLAKESTAT_QUARANTINE_LIST names a file with one ["file","titles"] a line, the titles joined by " > " or by blanks; an
// empty file name means every file. The project's own environment is kept: FLAKESTAT_JEST_ENVIRONMENT names it, else the
// configuration in package.json or jest.config.js|cjs|json, else it is node. A file with its own @jest-environment
// comment does not use this one.
'use strict';

const fs = require('fs');
const path = require('path');

// Readers of XML turn line ends into blanks and show control characters as \x1b.
const plain = (text) => text.replace(/\s/g, ' ');
const spellings = (text) => [plain(text), plain(text).replace(/[\x00-\x1f\x7f]/g, (c) => '\\x' + c.charCodeAt(0).toString(16).padStart(2, '0'))];

const listed = new Map();
for (const line of fs.readFileSync(process.env.FLAKESTAT_QUARANTINE_LIST, 'utf8').split('\n')) {
  if (line === '') continue;
  const [file, titles] = JSON.parse(line);
  const name = plain(titles);
  if (!listed.has(name)) listed.set(name, new Set());
  listed.get(name).add(file);
}

function configured() {
  const read = [
    () => JSON.parse(fs.readFileSync('package.json', 'utf8')).jest,
    ...['jest.config.js', 'jest.config.cjs', 'jest.config.json'].map((name) => () => require(path.resolve(name))),
  ];
  for (const one of read) {
    try {
      const found = one();
      if (found && found.testEnvironment) return found.testEnvironment;
    } catch {
      // Not there, or in a form that only Jest itself can load.
    }
  }
  return 'node';
}

function load(name) {
  const wanted = [`jest-environment-${name}`, name.replace('<rootDir>', process.cwd())];
  for (const one of wanted) {
    let found;
    try {
      found = require.resolve(one, {paths: [process.cwd(), path.dirname(require.main ? require.main.filename : __filename)]});
    } catch {
      continue;
    }
    const loaded = require(found);
    return loaded.TestEnvironment || loaded.default || loaded;
  }
  throw new Error(`the test environment ${name} was not found; FLAKESTAT_JEST_ENVIRONMENT can name it`);
}

const Base = load(process.env.FLAKESTAT_JEST_ENVIRONMENT || configured());

module.exports = class extends Base {
  constructor(config, context) {
    super(config, context);
    const project = config.projectConfig || config;
    this.flakestatFiles = ['', path.relative(process.cwd(), context.testPath), path.relative(project.rootDir, context.testPath),
      context.testPath];
  }

  async handleTestEvent(event, state) {
    if (super.handleTestEvent) await super.handleTestEvent(event, state);
    if (event.name !== 'run_start') return;
    const open = [[state.rootDescribeBlock, []]];
    while (open.length > 0) {
      const [block, titles] = open.pop();
      for (const child of block.children) {
        const path_ = [...titles, child.name];
        if (child.type === 'describeBlock') open.push([child, path_]);
        else if (this.flakestatListed(path_)) child.mode = 'skip';
      }
    }
  }

  flakestatListed(titles) {
    return [titles.join(' > '), titles.join(' ')].flatMap(spellings).some((name) => {
      const files = listed.get(name);
      return files !== undefined && this.flakestatFiles.some((file) => files.has(file));
    });
  }
};
