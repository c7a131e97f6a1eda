import type { PdfDocument } from '@platen/pdf/objects';
import type { UaFindings } from './findings.ts';
import type { TaggedElement } from './walk-structure.ts';

/**
 * Checks the languages of text alternatives and bookmarks in a document whose catalog has no language (7.2).
 */
export function checkLanguages(
  { catalog }: PdfDocument,
  elements: readonly TaggedElement[],
  findings: UaFindings,
): void {
  for (const { dict, hasLanguage } of elements)
    for (const key of ['ActualText', 'Alt', 'E'])
      if (!hasLanguage && dict.string(key))
        findings.add('7.2', `the entry ${key} of an element has no language`);
  const first = catalog.dict('Outlines')?.dict('First');
  findings.expect(first === undefined, '7.2', 'the bookmarks have no language');
}
