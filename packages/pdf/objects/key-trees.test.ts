import { expect, test } from 'bun:test';
import { asDict, buildNumberTree, Dict, readNumberTree } from './index.ts';

test.each([0, 4_000, 9_001])('a number tree of %d entries is read as it was built', (count) => {
  const entries = Array.from({ length: count }, (_, key) => [key, [key, -key]] as [number, number[]]);
  expect(readNumberTree(buildNumberTree(entries.toReversed()))).toEqual(entries);
});

test('no array of a large number tree exceeds the limit of PDF/A-1', () => {
  const tree = buildNumberTree(Array.from({ length: 9_001 }, (_, key) => [key, null] as const));
  const leaves = (tree.array('Kids') ?? []).map((leaf) => asDict(leaf) ?? new Dict());
  expect(leaves.map((leaf) => leaf.array('Limits'))).toEqual([
    [0, 3_999],
    [4_000, 7_999],
    [8_000, 9_000],
  ]);
  expect(Math.max(...leaves.map((leaf) => leaf.array('Nums')?.length ?? 0))).toBeLessThanOrEqual(8_191);
});
