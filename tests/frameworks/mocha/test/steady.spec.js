describe('Steady', () => {
  it('flaky', () => {});
});
