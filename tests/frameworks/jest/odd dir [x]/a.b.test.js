test('listed', () => {});
test('listed steady', () => {});
