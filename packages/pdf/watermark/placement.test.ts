import { describe, expect, test } from 'bun:test';
import type { PageGeometry } from '../objects/index.ts';
import { placeMark, toDisplay, type MarkPlacement, type Matrix } from './placement.ts';
import { readSelection, selectPages } from './select-pages.ts';

const mark = { width: 40, height: 20 };
const placement: MarkPlacement = {
  position: 'center',
  rotation: 0,
  tile: false,
  size: { factor: 1 },
  scale: 1,
};

/** A visible area of 300 x 200 units of two points, whose corner is at 10, 20. */
const page = (rotation: PageGeometry['rotation']): PageGeometry => {
  const [width, height] = rotation % 180 === 0 ? [600, 400] : [400, 600];
  return { visible: [10, 20, 310, 220], unit: 2, rotation, width, height };
};

const apply = ([a, b, c, d, e, f]: Matrix, [x, y]: readonly [number, number]) =>
  [a * x + c * y + e, b * x + d * y + f] as const;

/** Returns the box of the mark on the page as displayed: left, bottom, right, top. */
function shown(geometry: PageGeometry, matrix: Matrix): number[] {
  const corners = [0, mark.width].flatMap((x) =>
    [0, mark.height].map((y) => apply(toDisplay(geometry), apply(matrix, [x, y]))),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map((side) => Math.round(side));
}

describe.each([0, 90, 180, 270] as const)('on a page rotated by %d', (rotation) => {
  const geometry = page(rotation);
  const { width, height } = geometry;
  const place = (changes: Partial<MarkPlacement>) =>
    placeMark(geometry, mark, { ...placement, ...changes }).map((matrix) => shown(geometry, matrix));

  test('a mark is placed in the centre, in a corner, or at a point', () => {
    expect(place({})).toEqual([[width / 2 - 20, height / 2 - 10, width / 2 + 20, height / 2 + 10]]);
    expect(place({ position: 'top-right' })).toEqual([[width - 64, height - 44, width - 24, height - 24]]);
    expect(place({ position: 'bottom-left' })).toEqual([[24, 24, 64, 44]]);
    expect(place({ position: { x: 7, y: 9 } })).toEqual([[7, 9, 47, 29]]);
  });

  test('a mark is turned and scaled around its centre', () => {
    expect(place({ rotation: 90, scale: 2 })).toEqual([
      [width / 2 - 20, height / 2 - 40, width / 2 + 20, height / 2 + 40],
    ]);
  });

  test('a mark keeps a margin, and is moved from its place', () => {
    expect(place({ position: 'bottom-left', margin: 0 })).toEqual([[0, 0, 40, 20]]);
    expect(place({ position: 'bottom-left', margin: 5, offset: { x: 3, y: -4 } })).toEqual([[8, 1, 48, 21]]);
  });

  test('a mark takes a fraction of the page before it is turned along a diagonal', () => {
    const size = { side: 0.5 };
    const [level = []] = place({ size });
    expect((level[2] ?? 0) - (level[0] ?? 0)).toBe(width / 2);
    const angle = Math.atan2(height, width);
    const across = (width / 2) * Math.cos(angle) + (width / 4) * Math.sin(angle);
    for (const turned of ['diagonal-up', 'diagonal-down'] as const) {
      const [box = []] = place({ size, rotation: turned });
      expect((box[2] ?? 0) - (box[0] ?? 0)).toBeCloseTo(across, -1);
    }
  });

  test('a mark is enlarged up to a fraction of the page', () => {
    const [box = []] = place({ size: { largest: 100, fill: 0.5 } });
    expect((box[2] ?? 0) - (box[0] ?? 0)).toBe(width / 2);
    const [small = []] = place({ size: { largest: 2, fill: 0.5 } });
    expect((small[2] ?? 0) - (small[0] ?? 0)).toBe(80);
  });

  test('tiles cover the page, in a limited number', () => {
    const tiles = place({ tile: true });
    expect(Math.min(...tiles.map(([left = 0]) => left))).toBeLessThanOrEqual(0);
    expect(Math.max(...tiles.map(([, , right = 0]) => right))).toBeGreaterThanOrEqual(width);
    expect(Math.max(...tiles.map(([, , , top = 0]) => top))).toBeGreaterThanOrEqual(height);
    expect(place({ tile: true, size: { factor: 0.001 } }).length).toBeLessThanOrEqual(1_000);
  });
});

test('a mark that is larger than the page stays centred', () => {
  const [matrix] = placeMark(page(0), mark, { ...placement, position: 'top-left', scale: 100 });
  const box = matrix ? shown(page(0), matrix) : [];
  expect([(box[0] ?? 0) + (box[2] ?? 0), (box[1] ?? 0) + (box[3] ?? 0)]).toEqual([600, 400]);
});

describe('selectPages', () => {
  test.each([
    ['1', [0]],
    ['2-4', [1, 2, 3]],
    ['4-2', [1, 2, 3]],
    ['9-', [8, 9]],
    ['1, 3-4 ,10', [0, 2, 3, 9]],
  ])('selects the pages of "%s"', (text, pages) => {
    expect([...selectPages(text, 10, 'pages')].toSorted((a, b) => a - b)).toEqual(pages);
  });

  test.each(['', '0', '11', '1-11', '-3', '1,,2', 'a', '1-2-3', '1.5', '9999999'])('rejects "%s"', (text) => {
    expect(() => selectPages(text, 10, 'watermark.pages')).toThrow(
      expect.objectContaining({ field: 'watermark.pages' }),
    );
  });
});

describe('readSelection', () => {
  test.each([
    [undefined, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['3, 1', [2, 0]],
    ['10-8', [9, 8, 7]],
    ['9-, 10, 9-10', [8, 9, 9, 8, 9]],
  ])('lists the pages of "%s" in its order', (text, pages) => {
    expect(readSelection(text, 10, 'pages')).toEqual(pages);
  });

  test('lists at most 50,000 pages', () => {
    expect(readSelection('1-, 1-', 25_000, 'pages')).toHaveLength(50_000);
    expect(() => readSelection('1-, 1-, 1', 25_000, 'pages')).toThrow(
      expect.objectContaining({ field: 'pages', message: expect.stringContaining('more than 50000 pages') }),
    );
  });
});

test('every range is validated, even after all pages are selected', () => {
  expect(() => selectPages('1,1,1,2', 1, 'pages')).toThrow('page 2');
});
