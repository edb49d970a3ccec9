test('flaky', () => {});
describe('Outer', () => {
  test('flaky', () => {});
});
