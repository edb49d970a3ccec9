// Skips quarantined tests: vitest run --config THIS_FILE. Written by flakestat.
// The project's own configuration is loaded and kept; FLAKESTAT_VITEST_CONFIG names it when it has an unusual name. The
// file beside this one does the skipping.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';

const root = process.cwd();
const here = process.env.FLAKESTAT_VITEST_SETUP
  || path.join(path.dirname(fileURLToPath(import.meta.url)), 'flakestat_quarantine_vitest_setup.mjs');

function configFile() {
  if (process.env.FLAKESTAT_VITEST_CONFIG) return path.resolve(process.env.FLAKESTAT_VITEST_CONFIG);
  for (const name of ['vitest.config', 'vite.config']) {
    for (const ending of ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']) {
      const file = path.join(root, `${name}.${ending}`);
      if (fs.existsSync(file)) return file;
    }
  }
  return undefined;
}

// The modules of the project, wherever this file lies.
const fromProject = createRequire(path.join(root, 'package.json'));
const vitest = path.dirname(fromProject.resolve('vitest/package.json'));
const vite = path.dirname(createRequire(path.join(vitest, 'package.json')).resolve('vite/package.json'));
const { loadConfigFromFile } = await import(pathToFileURL(path.join(vite, 'dist/node/index.js')).href);

process.env.FLAKESTAT_VITEST_ENTRY = pathToFileURL(path.join(vitest, 'dist/index.js')).href;

export default async (environment) => {
  const file = configFile();
  const loaded = file ? await loadConfigFromFile(environment, file, root) : null;
  const config = loaded ? loaded.config : {};
  const test = config.test || {};
  const own = test.setupFiles === undefined ? [] : [test.setupFiles].flat();
  return { ...config, root: config.root || root, test: { ...test, setupFiles: [...own, here] } };
};
