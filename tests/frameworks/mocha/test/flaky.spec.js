const assert = require('assert');

const oddRun = Number(process.env.FLAKESTAT_RUN || 0) % 2 === 1;
const names = ['a/b', '[a/b]', "it's", '"q"', '$HOME', '*', 'é', '(x)', 'p|q', '^x$', 'x\\y', '<&>', 'a.b'];
const failInOddRuns = () => assert.equal(oddRun, false);

it('flaky', failInOddRuns);
it('flaky steady longer', () => {});
for (const name of names) {
  it('listed ' + name, () => {});
  it('steady ' + name, () => {});
}
describe('Outer', () => {
  it('flaky', failInOddRuns);
});
