import { resolve, type Dict } from '@platen/pdf/objects';
import type { Findings } from './findings.ts';

/** The page boundaries (ISO 32000-1 14.11.2). */
export const PAGE_BOXES = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'] as const;

/**
 * Checks the sizes of page boundaries (ISO 19005-2 6.1.13), and that pages have no presentation steps (6.10).
 */
export function checkPages(pages: readonly Dict[], findings: Findings): void {
  const [min, max] = findings.rules.limits.pageUnits;
  for (const page of pages) {
    for (const key of PAGE_BOXES) {
      const box = page.array(key);
      if (box)
        findings.expect(
          hasSize(box.map(resolve), min, max),
          'limits',
          `a page has a ${key} that is not between ${min} and ${max} units wide and high`,
        );
    }
    if (findings.rules.part > 1)
      findings.expect(!page.map.has('PresSteps'), 'presentations', 'a page has presentation steps');
  }
}

/** Tells whether the width and the height of a box are between `min` and `max`. */
export function hasSize(box: readonly unknown[], min: number, max: number): boolean {
  const [left, bottom, right, top] = box.map(Number);
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return false;
  return [right - left, top - bottom].every((size) => Math.abs(size) >= min && Math.abs(size) <= max);
}
