import { expect, test } from 'bun:test';
import { compileTemplate } from '@platen/templates';
import { checkData } from '@platen/templates/check-data';

test.each([
  ['2026-03-15', true],
  [' 2026-03-15 ', true],
  ['2026-03-15T14:00', true],
  ['2026-03-15 14:00', true],
  ['2026-03-15T14:00:00.123456Z', true],
  ['2026-03-15T14:00+0530', true],
  ['2024-02-29', true],
  ['+012026-03-15', true],
  [0, true],
  [-8.64e15, true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-02-31T10:00', false],
  ['2026-03', false],
  ['2026', false],
  ['2026-03-15 14:00 GMT', false],
  ['2026-03-15T25:00', false],
  ['2026-13-01', false],
  ['15.03.2026', false],
  ['tomorrow', false],
  [8.64e15 + 2, false],
  [true, false],
  [['2026-03-15'], false],
])('checkData and formatDate agree whether %j is a date: %p', (x, isDate) => {
  const faults = checkData({ x: 'date' }, { x });
  const rendered = compileTemplate({ source: '{{formatDate x}}', data: { x } });
  expect([faults.length === 0, rendered.ok]).toEqual([isDate, isDate]);
});
