import { defineConfig } from '@playwright/test';

// No test opens a page: two projects, no browser.
export default defineConfig({ testDir: 'tests', projects: [{ name: 'one' }, { name: 'two' }] });
