import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskReserve } from './disk-reserve.ts';

const MB = 1_000_000;
let directory = '';
const file = () => join(directory, 'reserve');

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A reserve on a disk whose free space the test sets. */
function onDisk(totalMb: number, freeMb: number): { reserve: DiskReserve; setFree: (mb: number) => void } {
  let freeBytes = freeMb * MB;
  const reserve = new DiskReserve(directory, () => ({ freeBytes, totalBytes: totalMb * MB }));
  return { reserve, setFree: (mb) => (freeBytes = mb * MB) };
}

test('new data is refused where it would take space of the margin', () => {
  const { reserve, setFree } = onDisk(10_000, 40);
  expect([reserve.admits(0), reserve.admits(8 * MB), reserve.admits(8 * MB + 1)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(reserve.check()).toContain('40 MB free');
  setFree(31);
  expect(reserve.admits(0)).toBe(false);
  expect(() => reserve.check()).toThrow('31 MB free: new data is refused');
});

test('only a disk with much space is not measured for each write', () => {
  let [freeBytes, measured] = [100_000 * MB, 0];
  const measure = () => {
    measured += 1;
    return { freeBytes, totalBytes: 200_000 * MB };
  };
  const reserve = new DiskReserve(directory, measure);
  expect([reserve.admits(MB), reserve.admits(MB), reserve.admits(99_969 * MB), measured]).toEqual([
    true,
    true,
    false,
    1,
  ]);
  freeBytes = 3_000 * MB;
  const almostFull = new DiskReserve(directory, measure);
  expect([almostFull.admits(MB), almostFull.admits(MB), measured]).toEqual([true, true, 3]);
});

test('on a small disk, the margin is a part of it', () => {
  const { reserve } = onDisk(48, 4);
  expect([reserve.admits(1 * MB), reserve.admits(1 * MB + 1)]).toEqual([true, false]);
});

test('a released reserve refuses new data until there is room for its file again', async () => {
  const { reserve, setFree } = onDisk(10_000, 100);
  await reserve.maintain();
  expect(statSync(file()).size).toBe(8 * MB);
  expect([reserve.release(), existsSync(file()), reserve.admits(0)]).toEqual([true, false, false]);
  expect(reserve.release()).toBe(false);
  setFree(39);
  await reserve.maintain();
  expect([existsSync(file()), reserve.admits(0)]).toEqual([false, false]);
  setFree(40);
  await reserve.maintain();
  expect([statSync(file()).size, reserve.admits(0)]).toEqual([8 * MB, true]);
});

test('a disk that does not report its space admits everything', async () => {
  const reserve = new DiskReserve(directory, () => {
    throw new Error('not supported');
  });
  await reserve.maintain();
  expect([reserve.admits(MB), existsSync(file())]).toEqual([true, false]);
});
