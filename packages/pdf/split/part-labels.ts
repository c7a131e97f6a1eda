import {
  buildNumberTree,
  Dict,
  name,
  readNumberTree,
  Ref,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '../objects/index.ts';

const NO_STYLE = new Dict();

/** The label of a page: a range of labels in the document, and the number of the page in it. */
interface Label {
  range: Dict | undefined;
  number: number;
}

/**
 * Builds the page labels of a part, so that each page keeps its label. `pages` are the indexes of its pages
 * in the document. Returns `undefined` if the document has no page labels.
 */
export function buildPartLabels({ catalog }: PdfDocument, pages: readonly number[]): Ref | undefined {
  const labels = readNumberTree(catalog.dict('PageLabels')).sort(([a], [b]) => a - b);
  if (labels.length === 0) return undefined;
  const ranges: [number, PdfObject][] = [];
  let previous: Label | undefined;
  for (const [position, page] of pages.entries()) {
    const label = labelOf(page, labels);
    if (!previous || label.range !== previous.range || label.number !== previous.number + 1)
      ranges.push([position, toRange(label)]);
    previous = label;
  }
  return Ref.to(buildNumberTree(ranges));
}

function labelOf(page: number, labels: readonly [number, PdfObject][]): Label {
  let [low, high] = [0, labels.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((labels[middle]?.[0] ?? 0) <= page) low = middle + 1;
    else high = middle;
  }
  const [start, value] = labels[low - 1] ?? [];
  if (start === undefined) return { range: undefined, number: page + 1 };
  const given = resolve(value);
  const range = given instanceof Dict ? given : NO_STYLE;
  return { range, number: (range.number('St') ?? 1) + page - start };
}

/**
 * Returns the range that begins with a label. Pages before the first range, which only an invalid file has,
 * are numbered from 1.
 */
function toRange({ range, number }: Label): Dict {
  return (range?.copy() ?? Dict.of({ S: name('D') })).set('St', number);
}
