import type { GenerateOptions } from '../../documents/contract.ts';
import { describe, expect, test } from 'bun:test';
import { needsTotal } from './header-sheets.ts';
import { toPrintSetup } from './print-options.ts';

const first = { firstPage: { header: 'first' } };

describe('whether the pages of a document are counted for its headers', () => {
  test.each<[GenerateOptions, boolean]>([
    [{ ...first, pageRanges: '1-2', footer: 'of {{totalPages}}' }, true],
    [{ firstPage: { footer: '<b class="TOTALPAGES">' }, pageRanges: '2' }, true],
    [{ ...first, pageRanges: '2', header: '<b class="total&#80;ages">' }, true],
    [{ pageNumberStart: 3, pageRanges: '1', header: '{{totalPages}}' }, true],
    [{ ...first, footer: 'of {{totalPages}}' }, false],
    [{ pageRanges: '1-2', footer: 'of {{totalPages}}' }, false],
    [{ ...first, pageRanges: '1, 3-', footer: 'of {{totalPages}}' }, false],
    [{ ...first, pageRanges: '1-2', footer: 'page {{pageNumber}}' }, false],
  ])('%p: %p', (options, expected) => {
    expect(needsTotal(toPrintSetup(options))).toBe(expected);
  });
});
