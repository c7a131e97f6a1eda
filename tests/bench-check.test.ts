import { expect, test } from 'bun:test';
import { findLosses } from '../bench/check/losses.ts';

test('bench:check finds ratios that became more than 20 % smaller, and names those without a measurement', () => {
  const committed = { 'invoice / ceiling': 0.6, 'report / ceiling': 0.5, 'invoice / jsreport': 8 };
  const measured = { 'invoice / ceiling': 0.47, 'report / ceiling': 0.41, 'new / ceiling': 1 };
  expect(findLosses(measured, committed)).toEqual({
    losses: [{ name: 'invoice / ceiling', was: 0.6, is: 0.47 }],
    missing: ['invoice / jsreport'],
  });
});
