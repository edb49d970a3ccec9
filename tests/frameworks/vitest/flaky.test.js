import { describe, expect, test } from 'vitest';
import names from './names.js';

const oddRun = Number(process.env.FLAKESTAT_RUN || 0) % 2 === 1;

const failInOddRuns = () => expect(oddRun).toBe(false);

test('flaky', failInOddRuns);
test('flaky steady longer', () => {});
for (const name of names) {
  test('listed ' + name, () => {});
  test('steady ' + name, () => {});
}
describe('Outer', () => {
  test('flaky', failInOddRuns);
  describe('Inner one', () => {
    test('steady flaky', () => {});
  });
});
