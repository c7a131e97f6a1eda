import { buildNumberTree, Dict, name, readNumberTree, Ref, type PdfObject } from '../objects/index.ts';
import type { MergeInput } from './merge-input.ts';

/**
 * Joins page labels, so that each page keeps its label. The pages of a document without labels are numbered from 1.
 */
export function joinLabels(inputs: readonly MergeInput[], catalog: Dict): void {
  const labels = inputs.map(({ document }) => readNumberTree(document.catalog.dict('PageLabels')));
  if (labels.every((own) => own.length === 0)) return;
  const joined = new Map<number, PdfObject>();
  for (const [index, { firstPage, pages }] of inputs.entries()) {
    joined.set(firstPage, Dict.of({ S: name('D') }));
    for (const [page, label] of labels[index] ?? [])
      if (page >= 0 && page < pages.length) joined.set(firstPage + page, label);
  }
  catalog.set('PageLabels', Ref.to(buildNumberTree(joined)));
}
