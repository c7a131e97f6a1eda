import {
  QpdfObjects,
  readQpdfJson,
  type QpdfDictionary,
  type QpdfJson,
} from '../support/pdf/qpdf-objects.ts';

/** The interactive contents of a file, counted with qpdf. */
export interface Census {
  links: number;
  bookmarks: number;
  /** The full name of the field of each widget. */
  fields: string[];
  /** The label of each page. */
  labels: string[];
}

interface OutlineJson {
  kids?: OutlineJson[];
}

interface CensusJson extends QpdfJson {
  outlines: OutlineJson[];
  acroform: { fields: { fullname: string }[] };
  pagelabels: { index: number; label: QpdfDictionary }[];
}

const PARTS = ['pages', 'outlines', 'acroform', 'pagelabels', 'qpdf'];

/** Counts links, bookmarks, fields and labels with qpdf. @throws {Error} if qpdf cannot read the file. */
export async function takeCensus(pdf: Uint8Array): Promise<Census> {
  const json = (await readQpdfJson(pdf, PARTS)) as CensusJson;
  const { outlines, acroform, pagelabels } = json;
  const objects = new QpdfObjects(json);
  const links = objects.pages.flatMap((page) =>
    objects
      .list(page['/Annots'])
      .filter((annotation) => objects.dictionary(annotation)['/Subtype'] === '/Link'),
  );
  return {
    links: links.length,
    bookmarks: countBookmarks(outlines),
    fields: acroform.fields.map(({ fullname }) => fullname),
    labels: labelsOf(pagelabels, objects),
  };
}

function countBookmarks(items: readonly OutlineJson[]): number {
  return items.reduce((sum, { kids = [] }) => sum + 1 + countBookmarks(kids), 0);
}

function labelsOf(ranges: CensusJson['pagelabels'], objects: QpdfObjects): string[] {
  const sorted = [...ranges].sort((a, b) => a.index - b.index);
  return objects.pages.map((_, page) => {
    const range = sorted.findLast(({ index }) => index <= page);
    if (!range) return `${page + 1}`;
    const prefix = objects.resolve(range.label['/P']);
    const style = objects.resolve(range.label['/S']);
    const number = Number(objects.resolve(range.label['/St']) ?? 1) + page - range.index;
    // The name of the style is not expanded, because labels are only compared with each other.
    return `${typeof prefix === 'string' ? prefix.slice(2) : ''}${style === '/D' ? '' : typeof style === 'string' ? style : '-'}${style ? number : ''}`;
  });
}
