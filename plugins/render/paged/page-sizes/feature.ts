import { toSource, type PagedFeature } from '../feature.ts';
import { namePageSizes } from './page/name-page-sizes.ts';

/** Returns the sizes of a series of ISO 216, such as A0 to A10, in millimetres. */
function series(letter: string, width: number, height: number): [string, [number, number]][] {
  const sizes: [string, [number, number]][] = [];
  for (let number = 0; number <= 10; number += 1) {
    sizes.push([`${letter}${number}`, [width, height]]);
    [width, height] = [Math.floor(height / 2), width];
  }
  return sizes;
}

/** The names of page sizes, most of which Chromium does not know, in millimetres. */
const SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = Object.fromEntries([
  ...series('a', 841, 1189),
  ...series('b', 1000, 1414),
  ['tabloid', [279.4, 431.8]],
]);

/** Makes names such as A6 work in `@page { size }`. Chromium ignores them. */
export const pageSizes: PagedFeature = {
  name: 'pageSizes',
  within: '@page',
  // A size that Chromium may not know. The names are written twice, because a repeated group is not linear.
  words: [
    /[\s;{]size\s{0,9}:(?!\s{0,9}(?:auto|portrait|landscape|a[345]|(?:jis-)?b[45]|letter|legal|ledger|[\d.]{1,9}[a-z]{0,2})(?:\s{1,9}(?:auto|portrait|landscape|a[345]|(?:jis-)?b[45]|letter|legal|ledger|[\d.]{1,9}[a-z]{0,2}))?\s{0,9}[;}!])/i,
  ],
  prepare: ({ usesPageSize }) =>
    usesPageSize ? `(${toSource(namePageSizes)})(${toSource({ sizes: SIZES })})` : '({})',
};
