import { decodeText, Dict, encodeText, Name, PdfString, type PdfDocument } from '../objects/index.ts';
import { cleanMetadataText } from './document-info.ts';

/** The maximum number of characters that are read. */
const MAX_CHARACTERS = 5_000_000;

/**
 * Reads all text entries of the information dictionary as they are stored: dates in the syntax of PDF, and
 * names such as that of `Trapped` as text.
 */
export function readInfoEntries(document: PdfDocument): Record<string, string> {
  const entries: [string, string][] = [];
  let characters = 0;
  const info = document.trailer.dict('Info') ?? new Dict();
  for (const entry of info.map.keys()) {
    const value = info.get(entry);
    const text =
      value instanceof PdfString ? decodeText(value) : value instanceof Name ? value.value : undefined;
    if (text === undefined) continue;
    characters += entry.length + text.length;
    if (characters > MAX_CHARACTERS) break;
    entries.push([entry, text]);
  }
  return Object.fromEntries(entries);
}

/** Sets custom entries of an information dictionary. `null` and an empty text remove an entry. */
export function setCustomEntries(info: Dict, custom: Readonly<Record<string, string | null>>): void {
  for (const [entry, value] of Object.entries(custom)) {
    const text = cleanMetadataText(value ?? '');
    if (text === '') info.delete(entry);
    else info.set(entry, encodeText(text));
  }
}

/**
 * Writes a time of RFC 3339, such as `2026-09-18T16:27:50-04:00`, in the syntax of PDF, with its time zone
 * (ISO 32000-1 7.9.4).
 */
export function pdfDateOf(time: string): PdfString {
  const [date, zone] = splitZone(time);
  const digits = date.replaceAll(/\D/g, '').slice(0, 14);
  return encodeText(`D:${digits}${zone === 'Z' ? '' : zone.replace(':', "'")}${zone === 'Z' ? 'Z' : "'"}`);
}

function splitZone(time: string): [date: string, zone: string] {
  const zone = /(?:Z|[+-]\d\d:\d\d)$/.exec(time)?.[0] ?? 'Z';
  return [time.replace(/(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?$/, ''), zone];
}
