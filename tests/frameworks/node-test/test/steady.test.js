const { describe, it } = require('node:test');

describe('Steady', () => {
  it('flaky', () => {});
});
