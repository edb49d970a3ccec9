import { describe, test } from 'vitest';

test('flaky', () => {});
describe('Outer', () => {
  test('flaky', () => {});
});
