import { test } from '@playwright/test';

test('flaky', () => {});
