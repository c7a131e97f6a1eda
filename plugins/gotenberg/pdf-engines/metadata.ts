import { AppError } from '../../../src/plugin.ts';
import type { OperationStep } from '../../pdf-tools/contract.ts';
import type { MetadataValue } from './processing.ts';

/** The tags of ExifTool that have a property of their own, in lower case. */
const PROPERTIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    title: 'title',
    author: 'author',
    subject: 'subject',
    keywords: 'keywords',
    creator: 'creator',
    producer: 'producer',
    language: 'language',
    createdate: 'creation_date',
    creationdate: 'creation_date',
    moddate: 'modification_date',
    modifydate: 'modification_date',
    trapped: 'trapped',
  }),
);

/** Tags with which ExifTool moves the file or changes its permissions. Gotenberg ignores them too. */
const IGNORED: ReadonlySet<string> = new Set(
  'filename directory hardlink symlink filepermissions'.split(' '),
);

const TAG = /^[a-zA-Z0-9_.:][a-zA-Z0-9\-_.:]{0,99}$/;

/** Gotenberg's message for a value that ExifTool does not take. */
export function unsupportedMetadata(cause?: unknown): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    'At least one PDF engine cannot process the requested metadata, while others may have failed to convert due to different issues',
    { cause },
  );
}

/**
 * Returns the steps that write metadata. A tag without a property of its own becomes a custom entry.
 * @throws {AppError} VALIDATION_ERROR for a name or a value that no PDF can have
 */
export function metadataSteps(metadata: Readonly<Record<string, MetadataValue>>): OperationStep[] {
  const set: Record<string, unknown> = {};
  /** Of several tags for a property, the last one counts. */
  const properties = new Map<string, readonly string[]>();
  const custom: [string, string][] = [];
  for (const [tag, value] of Object.entries(metadata)) {
    const name = tag.slice(tag.lastIndexOf(':') + 1);
    if (IGNORED.has(name.toLowerCase())) continue;
    const texts = textsOf(value);
    if (!TAG.test(tag) || name === '' || texts.some(hasControlCharacter)) throw unsupportedMetadata();
    const property = PROPERTIES.get(name.toLowerCase());
    if (property === undefined) custom.push([name, texts.join(', ')]);
    else properties.set(property, texts);
  }
  for (const [property, texts] of properties) set[property] = propertyValue(property, texts);
  if (custom.length > 0) set['custom'] = Object.fromEntries(custom);
  return Object.keys(set).length === 0 ? [] : [{ do: 'properties', set }];
}

/** No property takes a list as long, or a text as long. Reading them would delay other requests. */
const MAX_TEXTS = 1_000;
const MAX_CHARACTERS = 100_000;

/** Returns the texts of a value. The form has checked only that the JSON is an object. */
function textsOf(value: unknown): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  if (texts.length > MAX_TEXTS) throw unsupportedMetadata();
  const isText = (text: unknown) => typeof text === 'string' && text.length <= MAX_CHARACTERS;
  if (texts.every(isText)) return texts as string[];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  throw unsupportedMetadata();
}

function hasControlCharacter(text: string): boolean {
  return /[\n\r\0]/.test(text);
}

function propertyValue(property: string, texts: readonly string[]): unknown {
  const text = texts.join(', ');
  if (property === 'keywords')
    return texts
      .flatMap((each) => each.split(/[,;]/))
      .map((each) => each.trim())
      .filter((each) => each !== '');
  if (property.endsWith('_date')) return timeOf(text);
  if (property !== 'trapped') return text;
  const known = ['True', 'False', 'Unknown'].find((each) => each.toLowerCase() === text.toLowerCase());
  if (known === undefined) throw unsupportedMetadata();
  return known;
}

const TIME =
  /^(\d{4})[-:](\d\d)[-:](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)? ?(?:Z|([+-])(\d\d):?(\d\d))?$/;

/** Converts a date as ExifTool accepts it to RFC 3339. A missing time zone means UTC. */
function timeOf(text: string): string {
  const [whole, year, month, day, hour = '00', minute = '00', second = '00', sign, hours, minutes] =
    TIME.exec(text.trim()) ?? [];
  if (whole === undefined) throw unsupportedMetadata();
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}
