import {
  buildNumberTree,
  Dict,
  readNumberTree,
  Ref,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '../objects/index.ts';
import type { PageRange } from './structure-spans.ts';

/**
 * Builds the page labels of a part, so that each page keeps its label. Returns `undefined` if the document has no page
 * labels.
 */
export function buildPartLabels({ catalog }: PdfDocument, { first, last }: PageRange): Ref | undefined {
  const labels = readNumberTree(catalog.dict('PageLabels')).sort(([a], [b]) => a - b);
  if (labels.length === 0) return undefined;
  const own: [number, PdfObject][] = [];
  const before = labels.findLast(([page]) => page <= first);
  if (before) {
    const [page, value] = before;
    const label = resolve(value);
    const copy = label instanceof Dict ? label.copy() : new Dict();
    own.push([0, copy.set('St', (copy.number('St') ?? 1) + first - page)]);
  }
  for (const [page, label] of labels) if (page > first && page <= last) own.push([page - first, label]);
  return own.length > 0 ? Ref.to(buildNumberTree(own)) : undefined;
}
