import { decodeDate, decodeText, Dict, Name, PdfString, type PdfDocument } from '../objects/index.ts';
import { MAX_METADATA_CHARACTERS } from './limits.ts';

const LANGUAGE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,20}$/;

/** Metadata that replaces the metadata of the document. */
export interface RequestedMetadata {
  title?: string | undefined;
  author?: string | undefined;
  subject?: string | undefined;
  /** The keywords in one string. */
  keywords?: string | undefined;
  creator?: string | undefined;
  producer?: string | undefined;
  /** The language of the document (BCP 47); an empty string for none. */
  language?: string | undefined;
}

/**
 * The properties that are written to both the information dictionary and XMP. Times are epoch milliseconds,
 * in whole seconds.
 */
export interface DocumentInfo {
  title?: string | undefined;
  author?: string | undefined;
  subject?: string | undefined;
  keywords?: string | undefined;
  creator?: string | undefined;
  producer?: string | undefined;
  language?: string | undefined;
  createdAt?: number | undefined;
  modifiedAt: number;
  trapped?: 'True' | 'False' | undefined;
}

/** Reads the properties of a document. Requested metadata replaces them. */
export function readDocumentInfo(
  { trailer, catalog }: PdfDocument,
  requested: RequestedMetadata,
  now: number,
): DocumentInfo {
  const info = trailer.dict('Info') ?? new Dict();
  const text = (key: string, wanted: string | undefined) => {
    const value = info.string(key);
    return wanted === undefined ? value && presentable(decodeText(value)) : presentable(wanted);
  };
  const lang = catalog.string('Lang');
  const language = (requested.language ?? (lang ? decodeText(lang) : '')).trim();
  const created = info.string('CreationDate');
  const trapped = info.name('Trapped');
  return {
    title: text('Title', requested.title),
    author: text('Author', requested.author),
    subject: text('Subject', requested.subject),
    keywords: text('Keywords', requested.keywords),
    creator: text('Creator', requested.creator),
    producer: text('Producer', requested.producer),
    language: LANGUAGE.test(language) ? language : undefined,
    createdAt: created && readTime(decodeText(created)),
    modifiedAt: Math.floor(now / 1000) * 1000,
    trapped: trapped === 'True' || trapped === 'False' ? trapped : undefined,
  };
}

/** Returns the valid part of a text; `undefined` if it is empty. */
function presentable(text: string): string | undefined {
  const clean = cleanMetadataText(text.slice(0, MAX_METADATA_CHARACTERS));
  return clean === '' ? undefined : clean;
}

function readTime(text: string): number | undefined {
  const date = decodeDate(text);
  const time = date === null ? Number.NaN : Date.parse(date);
  // The year of an XMP date has four digits.
  return time >= Date.UTC(1000, 0) && time < Date.UTC(10_000, 0) ? Math.floor(time / 1000) * 1000 : undefined;
}

/** Builds the information dictionary. */
export function buildInfo(info: DocumentInfo): Dict {
  const text = (value: string | undefined) => (value === undefined ? undefined : encode(value));
  const time = (value: number | undefined) => (value === undefined ? undefined : encode(pdfDate(value)));
  return Dict.of({
    Title: text(info.title),
    Author: text(info.author),
    Subject: text(info.subject),
    Keywords: text(info.keywords),
    Creator: text(info.creator),
    Producer: text(info.producer),
    CreationDate: time(info.createdAt),
    ModDate: time(info.modifiedAt),
    Trapped: info.trapped && new Name(info.trapped),
  });
}

/**
 * Encodes ASCII text unchanged, because it is the same in every PDF text encoding, and other text as UTF-16.
 */
function encode(text: string): PdfString {
  if (/^[ -~]*$/.test(text)) return new PdfString(Buffer.from(text, 'latin1'));
  return new PdfString(Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
}

function pdfDate(time: number): string {
  return `D:${new Date(time).toISOString().slice(0, 19).replaceAll(/\D/g, '')}+00'00'`;
}

/**
 * Makes text valid in both the information dictionary and XMP (XML 1.0, 2.2): replaces control characters and
 * line separators with spaces, replaces unpaired surrogates, removes noncharacters, and trims white space,
 * which XML parsers may drop.
 */
export function cleanMetadataText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Noncharacter_Code_Point}\ufeff]/gu, '')
    .trim();
}
