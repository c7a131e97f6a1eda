import {
  asDict,
  geometryOf,
  readNumberTree,
  resolve,
  type Dict,
  type Page,
  type PdfDocument,
} from '@platen/pdf/objects';
import type { ContentContext } from './check-content.ts';
import { textOf } from './check-structure.ts';
import { elementOf } from './walk-structure.ts';

const HIDDEN = 2;

/**
 * Checks that annotations are tagged and described, and that the tab order follows the structure (7.18).
 * Annotations that are hidden or outside of the page, such as invisible signatures, need neither a tag nor a
 * description.
 */
export function checkAnnotations(
  { catalog }: PdfDocument,
  pages: readonly Page[],
  { elements, findings, hasLanguage }: Pick<ContentContext, 'elements' | 'findings' | 'hasLanguage'>,
): void {
  const parents = new Map(readNumberTree(catalog.dict('StructTreeRoot')?.dict('ParentTree')));
  for (const page of pages) {
    const { dict } = page;
    const annotations = (dict.array('Annots') ?? []).flatMap((annotation) => asDict(annotation) ?? []);
    findings.expect(
      annotations.length === 0 || dict.name('Tabs') === 'S',
      '7.18.3',
      'the tab order of a page with annotations does not follow the structure',
    );
    for (const annotation of annotations) {
      const subtype = annotation.name('Subtype') ?? '';
      const isHidden = ((annotation.number('F') ?? 0) & HIDDEN) !== 0;
      if (isHidden || isOutside(annotation, page)) continue;
      if (subtype === 'TrapNet') findings.add('7.18.2', 'an annotation of the type TrapNet exists');
      const key = annotation.number('StructParent');
      const parent = elementOf(key === undefined ? undefined : parents.get(key), elements);
      const contents = textOf(annotation.string('Contents'));
      const speaks = hasLanguage || parent?.hasLanguage === true;
      findings.expect(
        speaks || annotation.string(subtype === 'Widget' ? 'TU' : 'Contents') === undefined,
        '7.2',
        'the description of an annotation has no language',
      );
      if (subtype === 'Link') {
        findings.expect(parent?.type === 'Link', '7.18.5', 'a link is not in a Link element');
        findings.expect(contents !== undefined, '7.18.5', 'a link has no description');
      } else if (subtype === 'Widget') {
        const label = textOf(annotation.string('TU')) ?? textOf(annotation.dict('Parent')?.string('TU'));
        const alt = textOf(parent?.dict.string('Alt'));
        findings.expect(parent?.type === 'Form', '7.18.4', 'a form field is not in a Form element');
        findings.expect((label ?? alt) !== undefined, '7.18.1', 'a form field has no description');
      } else {
        if (subtype === 'PrinterMark')
          findings.expect(!parent, '7.18.8', 'a mark for printers is in the structure');
        else findings.expect(parent?.type === 'Annot', '7.18.1', 'an annotation is not in an Annot element');
        const alt = textOf(annotation.string('Alt')) ?? (parent && textOf(parent.dict.string('Alt')));
        findings.expect((contents ?? alt) !== undefined, '7.18.1', 'an annotation has no description');
      }
    }
  }
}

/** Tells whether an annotation is outside of the visible area of its page. */
function isOutside(annotation: Dict, page: Page): boolean {
  const [a, b, c, d] = (annotation.array('Rect') ?? []).map((side) => resolve(side));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return false;
  const [left, bottom, right, top] = geometryOf(page).visible;
  return (
    Math.min(a, c) >= right || Math.max(a, c) <= left || Math.min(b, d) >= top || Math.max(b, d) <= bottom
  );
}
