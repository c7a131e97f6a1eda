import { decodeDate, decodeText, Dict, encodeText, name, Ref, type PdfDocument } from '../objects/index.ts';
import { writeEdits, type Edits } from '../edit/edit.ts';
import {
  buildInfo,
  cleanMetadataText,
  readDocumentInfo,
  type DocumentInfo,
  type RequestedMetadata,
} from './document-info.ts';
import { pdfDateOf, setCustomEntries } from './info-entries.ts';
import { metadataStream } from './xmp.ts';
import { readXmpValues, writeXmp, type XmpValues } from './xmp-properties.ts';

/** The properties of a document. Absent text is empty. */
export interface DocumentProperties {
  title: string;
  author: string;
  subject: string;
  keywords: string[];
  /** The language of the document (BCP 47), such as `en-GB`. */
  language: string;
  /** The program that made the original document. */
  creator: string;
  /** The program that made the PDF. */
  producer: string;
  /** ISO 8601 in UTC; `null` if absent or malformed. */
  creationDate: string | null;
  /** As for `creationDate`. */
  modificationDate: string | null;
}

/** Properties to set. `null` and the empty value remove a property; an absent property keeps its value. */
export type PropertyChanges = {
  [K in 'title' | 'author' | 'subject' | 'language' | 'creator' | 'producer']?: string | null | undefined;
} & {
  keywords?: readonly string[] | null | undefined;
  /** Times of RFC 3339 with a time zone. The file keeps the time zone. `null` is only for the creation. */
  creationDate?: string | null | undefined;
  /** The time of the change when absent. */
  modificationDate?: string | undefined;
  /** Whether the document has trapping information (ISO 32000-1 14.11.6). */
  trapped?: 'True' | 'False' | 'Unknown' | null | undefined;
  /** Other entries of the information dictionary. `null` removes an entry. */
  custom?: Readonly<Record<string, string | null>> | undefined;
};

type TextProperty = 'title' | 'author' | 'subject' | 'keywords' | 'creator' | 'producer';

/** The names of each property in the information dictionary and in XMP. */
const NAMES: Readonly<Record<TextProperty, readonly [entry: string, property: string]>> = {
  title: ['Title', 'dc:title'],
  author: ['Author', 'dc:creator'],
  subject: ['Subject', 'dc:description'],
  keywords: ['Keywords', 'pdf:Keywords'],
  creator: ['Creator', 'xmp:CreatorTool'],
  producer: ['Producer', 'pdf:Producer'],
};
const DATES = ['xmp:ModifyDate', 'xmp:MetadataDate'];
const MAX_KEYWORDS = 10_000;

/**
 * Reads the properties of a document. Those that the information dictionary does not contain are read from
 * XMP.
 */
export function readProperties(document: PdfDocument): DocumentProperties {
  const info = document.trailer.dict('Info') ?? new Dict();
  const xmp = readXmpValues(document);
  const date = (entry: string, property: string): string | null => {
    const value = info.string(entry);
    return value ? decodeDate(decodeText(value)) : isoDate(xmp.get(property)?.[0]);
  };
  const text = (key: TextProperty) => readText(info, xmp, key);
  return {
    title: text('title'),
    author: text('author'),
    subject: text('subject'),
    keywords: readKeywords(text('keywords'), xmp),
    language: readLanguage(document, xmp),
    creator: text('creator'),
    producer: text('producer'),
    creationDate: date('CreationDate', 'xmp:CreateDate'),
    modificationDate: date('ModDate', 'xmp:ModifyDate'),
  };
}

/**
 * Sets properties in the information dictionary, XMP and the catalog, so that all agree. Keeps other entries
 * and XMP properties.
 * @param now epoch milliseconds
 * @throws {InputFault} if the file must not be changed.
 */
export function setProperties(document: PdfDocument, changes: PropertyChanges, now: number): Buffer {
  return writeEdits(document, changeProperties(document, changes, now));
}

/** Returns the edits of {@link setProperties}, to write them together with others. */
export function changeProperties(
  document: PdfDocument,
  changes: PropertyChanges,
  now: number,
): Required<Pick<Edits, 'catalog' | 'info'>> {
  const before = readProperties(document);
  const requested: RequestedMetadata = {};
  const replaced = new Set(DATES);
  for (const key of ['title', 'author', 'subject', 'creator', 'producer'] as const) {
    requested[key] = changes[key] === undefined ? before[key] : (changes[key] ?? '');
    if (changes[key] !== undefined) replaced.add(NAMES[key][1]);
  }
  if (changes.keywords !== undefined) replaced.add(NAMES.keywords[1]).add('dc:subject');
  if (changes.language !== undefined) replaced.add('dc:language');
  const keywords = (changes.keywords === undefined ? before.keywords : (changes.keywords ?? []))
    .map(cleanMetadataText)
    .filter((keyword) => keyword !== '');
  if (changes.keywords !== undefined) requested.keywords = keywords.join(', ');
  const language = cleanMetadataText(
    changes.language === undefined ? before.language : (changes.language ?? ''),
  );

  const info = { ...readDocumentInfo(document, requested, now), ...timesOf(changes) };
  if (changes.creationDate !== undefined) replaced.add('xmp:CreateDate');
  const dict = (document.trailer.dict('Info') ?? new Dict()).copy();
  for (const [entry] of Object.values(NAMES)) dict.delete(entry);
  if (changes.creationDate !== undefined) dict.delete('CreationDate');
  for (const [entry, value] of buildInfo(info).map) dict.set(entry, value);
  if (changes.creationDate) dict.set('CreationDate', pdfDateOf(changes.creationDate));
  if (changes.modificationDate !== undefined) dict.set('ModDate', pdfDateOf(changes.modificationDate));
  if (changes.trapped !== undefined)
    dict.set('Trapped', changes.trapped === null ? undefined : name(changes.trapped));
  setCustomEntries(dict, changes.custom ?? {});
  const xmp = writeXmp(document, { info, keywords, language: language || undefined, replaced });
  const catalog = document.catalog.copy().set('Metadata', Ref.to(metadataStream(xmp)));
  catalog.set('Lang', language === '' ? undefined : encodeText(language));
  return { catalog, info: dict };
}

/** Returns the times among changes, in whole seconds of epoch milliseconds. */
function timesOf({
  creationDate,
  modificationDate,
}: PropertyChanges): Partial<Pick<DocumentInfo, 'createdAt' | 'modifiedAt'>> {
  const seconds = (time: string) => Math.floor(Date.parse(time) / 1000) * 1000;
  return {
    ...(creationDate !== undefined && {
      createdAt: creationDate === null ? undefined : seconds(creationDate),
    }),
    ...(modificationDate !== undefined && { modifiedAt: seconds(modificationDate) }),
  };
}

function readText(info: Dict, xmp: XmpValues, key: TextProperty): string {
  const [entry, property] = NAMES[key];
  const value = info.string(entry);
  return value ? decodeText(value).trim() : (xmp.get(property) ?? []).join(', ');
}

/** Reads the keywords, which are one string in the information dictionary and a list in XMP. */
function readKeywords(joined: string, xmp: XmpValues): string[] {
  const list = joined === '' ? (xmp.get('dc:subject') ?? []) : joined.split(/[,;]/, MAX_KEYWORDS);
  return list.map((keyword) => keyword.trim()).filter((keyword) => keyword !== '');
}

function readLanguage({ catalog }: PdfDocument, xmp: XmpValues): string {
  const value = catalog.string('Lang');
  return (value ? decodeText(value) : (xmp.get('dc:language')?.[0] ?? '')).trim();
}

function isoDate(date: string | undefined): string | null {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
