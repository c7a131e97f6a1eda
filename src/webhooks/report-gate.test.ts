import { expect, test } from 'bun:test';
import { ReportGate } from './report-gate.ts';

test('the first report passes at once, and later ones pass together', async () => {
  const gate = new ReportGate();
  const passed: string[] = [];
  const pass = (name: string) => gate.pass().then(() => void passed.push(name));
  await pass('first');
  const later = [pass('second'), pass('third')];
  await Bun.sleep(1);
  expect(passed).toEqual(['first']);
  await Promise.all(later);
  expect(passed).toEqual(['first', 'second', 'third']);
});

test('an opened gate lets all reports pass, and gathers the next ones', async () => {
  const gate = new ReportGate();
  await gate.pass();
  const second = gate.pass();
  gate.open();
  await second;
  let hasPassed = false;
  const third = gate.pass().then(() => (hasPassed = true));
  await Bun.sleep(1);
  expect(hasPassed).toBe(false);
  gate.open();
  await third;
  expect(hasPassed).toBe(true);
});
