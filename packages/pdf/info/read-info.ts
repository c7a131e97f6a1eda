import { decodeDate, decodeText, Dict, readPages, type PdfDocument, claimedPdfa } from '../objects/index.ts';
import { readForm } from './form.ts';
import { measurePages, type PageSize } from './page-sizes.ts';

/** What is said about a file. Dates are ISO 8601; strings that are absent are empty, dates that are absent or malformed are null. */
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
  /** The higher of the header's and the catalog's. */
  version: string;
  pageSizes: PageSize[];
  hasForm: boolean;
  hasSignatures: boolean;
  tagged: boolean;
  /** What its metadata claim, such as `1B`; not checked. */
  pdfa: string | null;
}

/** Reads what is known about a file. @throws {PdfError} when it has no pages. */
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
    ...readForm(catalog),
    tagged: catalog.dict('MarkInfo')?.get('Marked') === true,
    pdfa: claimedPdfa(document),
  };
}
