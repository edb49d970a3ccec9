import { expect, test } from '@playwright/test';

const oddRun = Number(process.env.FLAKESTAT_RUN || 0) % 2 === 1;
const names = ['a/b', '[a/b]', "it's", '"q"', '$HOME', '*', 'é', '(x)', 'p|q', '^x$', '<&>', 'a.b'];
const failInOddRuns = () => expect(oddRun).toBe(false);

test('flaky', failInOddRuns);
test('flaky steady longer', () => {});
for (const name of names) {
  test('listed ' + name, () => {});
  test('steady ' + name, () => {});
}
test.describe('Outer', () => {
  test('listed', () => {});
});
