import {
  claimedPdfa,
  decodeDate,
  decodeText,
  Dict,
  eachField,
  geometryOf,
  readPages,
  type Page,
  type PdfDocument,
} from '../objects/index.ts';

/** A displayed page size in points, after cropping and rotation, and the number of pages with this size. */
export interface PageSize {
  width: number;
  height: number;
  count: number;
}

/**
 * The properties of a file. Dates are ISO 8601. Absent strings are empty; absent or malformed dates are null.
 */
export interface PdfInfo {
  pages: number;
  title: string;
  author: string;
  subject: string;
  creator: string;
  producer: string;
  creationDate: string | null;
  modificationDate: string | null;
  sizeBytes: number;
  encrypted: boolean;
  /** The higher of the versions in the header and the catalog. */
  version: string;
  pageSizes: PageSize[];
  hasForm: boolean;
  hasSignatures: boolean;
  tagged: boolean;
  /** The PDF/A level that the metadata claims, such as `1B`. It is not verified. */
  pdfa: string | null;
}

/** Reads the properties of a file. @throws {PdfError} if it has no pages. */
export function readInfo(document: PdfDocument, sizeBytes: number): PdfInfo {
  const { catalog } = document;
  const { pages } = readPages(document);
  const info = document.trailer.dict('Info') ?? new Dict();
  const text = (key: string) => {
    const value = info.string(key);
    return value ? decodeText(value) : '';
  };
  return {
    pages: pages.length,
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    creator: text('Creator'),
    producer: text('Producer'),
    creationDate: decodeDate(text('CreationDate')),
    modificationDate: decodeDate(text('ModDate')),
    sizeBytes,
    encrypted: document.encrypted,
    version: document.version,
    pageSizes: measurePages(pages),
    ...describeForm(catalog),
    tagged: catalog.dict('MarkInfo')?.get('Marked') === true,
    pdfa: claimedPdfa(document),
  };
}

/** Tells whether a file has form fields and whether any signature field is signed. */
function describeForm(catalog: Dict): { hasForm: boolean; hasSignatures: boolean } {
  const form = catalog.dict('AcroForm');
  const fields = form?.array('Fields') ?? [];
  const hasForm = fields.length > 0 || (form?.get('XFA') ?? null) !== null;
  let hasSignatures = false;
  eachField(fields, (field, type) => {
    if (type === 'Sig' && field.dict('V')) hasSignatures = true;
  });
  return { hasForm, hasSignatures };
}

/** Counts pages by size, in order of first occurrence. */
function measurePages(pages: readonly Page[]): PageSize[] {
  const sizes = new Map<string, PageSize>();
  for (const page of pages) {
    const geometry = geometryOf(page);
    const [width, height] = [round(geometry.width), round(geometry.height)];
    const key = `${width} ${height}`;
    const known = sizes.get(key);
    if (known) known.count++;
    else sizes.set(key, { width, height, count: 1 });
  }
  return [...sizes.values()];
}

function round(points: number): number {
  return Math.round(points * 1000) / 1000;
}
