import { test } from 'vitest';

test('listed', () => {});
test('listed steady', () => {});
