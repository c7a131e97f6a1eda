import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { decodeBase64 } from '../base64.ts';
import { writeEdits } from '../edit/edit.ts';
import {
  asDict,
  buildNameTree,
  decodeDate,
  decodeStream,
  decodeText,
  Dict,
  encodeText,
  InputFault,
  metadataWithoutClaims,
  name,
  PdfError,
  PdfStream,
  PdfString,
  readNameTree,
  Ref,
  UnpackBudget,
  type PdfDocument,
  type PdfObject,
} from '../objects/index.ts';
import { FileNames } from './file-name.ts';

/** The names of relationships (ISO 32000-2 table 43). */
const RELATIONSHIPS = {
  source: 'Source',
  data: 'Data',
  alternative: 'Alternative',
  supplement: 'Supplement',
  unspecified: 'Unspecified',
} as const;

/** How an attachment is related to the document. */
export type Relationship = keyof typeof RELATIONSHIPS;

/** An attachment of a document. Unknown properties are `null`. */
export interface Attachment {
  /**
   * The name in the document. It may be empty or repeated, and may contain slashes and control characters.
   */
  name: string;
  /** A safe file name, unique among the attachments of the document. */
  fileName: string;
  sizeBytes: number | null;
  mimeType: string | null;
  description: string | null;
  relationship: Relationship | null;
  /** ISO 8601 in UTC. */
  modifiedAt: string | null;
}

/** An attachment to add. */
export interface NewAttachment {
  name: string;
  /** The content, or base64, as text or as the bytes of the text, which are overwritten. */
  data: string | Uint8Array | { raw: Uint8Array };
  mimeType?: string | undefined;
  description?: string | undefined;
  relationship?: Relationship | undefined;
}

/**
 * The limits of the attachments of a document: their number, and the bytes and the characters of all
 * together.
 */
export const ATTACHMENT_LIMITS = { listed: 10_000, totalBytes: 25_000_000, characters: 5_000_000 };

/** An entry of the name tree. */
interface NamedFile {
  key: string;
  value: PdfObject;
}

interface Entry extends NamedFile {
  attachment: Attachment;
}

/**
 * Lists the attachments of a document, except those of annotations.
 * @throws {PdfError} if they are too many or their names too long.
 */
export function listAttachments(document: PdfDocument): Attachment[] {
  return readEntries(document).map(({ attachment }) => attachment);
}

/**
 * Returns attachments with their content.
 * @param field the path of the names, for errors
 * @throws {InputFault} if an attachment does not exist or cannot be read, or if all have more than 25,000,000
 * bytes in total
 * @throws {PdfError} if decoding them takes more than that
 */
export function extractAttachments(
  document: PdfDocument,
  names: readonly string[],
  field: string,
): (Attachment & { data: Uint8Array })[] {
  const budget = new UnpackBudget(ATTACHMENT_LIMITS.totalBytes);
  let sizeBytes = 0;
  return find(readEntries(document), names, field).map(({ value, attachment }, index) => {
    const stream = fileOf(value);
    const data = stream && decodeStream(stream, budget);
    if (!data) throw new InputFault(`${field}[${index}]`, 'cannot be read: it is encrypted or damaged');
    sizeBytes += data.length;
    if (sizeBytes > ATTACHMENT_LIMITS.totalBytes)
      throw new InputFault(field, `has more than ${ATTACHMENT_LIMITS.totalBytes} bytes in total`);
    return { ...attachment, sizeBytes: data.length, data };
  });
}

/**
 * Adds attachments. Removes claims of PDF/A, because its parts 1 and 2 restrict attachments.
 * @param now epoch milliseconds
 * @throws {InputFault} if a name exists already, or the data is not base64 or too large.
 */
export function addAttachments(
  document: PdfDocument,
  added: readonly NewAttachment[],
  { field, now }: { field: string; now: number },
): Buffer {
  const entries = readEntries(document);
  const names = new Set(entries.map(({ attachment }) => attachment.name));
  const keys = new Set(entries.map(({ key }) => key));
  const files: NamedFile[] = [];
  let sizeBytes = 0;
  for (const [index, attachment] of added.entries()) {
    const path = `${field}[${index}]`;
    if (names.has(attachment.name)) throw new InputFault(`${path}.name`, 'is the name of another attachment');
    names.add(attachment.name);
    const data = decode(attachment.data);
    if (!data) throw new InputFault(`${path}.data`, 'is not valid base64');
    sizeBytes += data.length;
    if (sizeBytes > ATTACHMENT_LIMITS.totalBytes)
      throw new InputFault(field, `has more than ${ATTACHMENT_LIMITS.totalBytes} bytes in total`);
    // Readers sort keys by bytes or by characters. ASCII has the same order in both.
    let key = encodeURIComponent(attachment.name.toWellFormed()).replaceAll('%20', ' ');
    while (keys.has(key)) key += ' ';
    keys.add(key);
    const value = Ref.to(fileSpecification(attachment, data, now));
    files.push({ key, value });
  }
  return write(document, [...entries, ...files], (related) => [
    ...related,
    ...files.map(({ value }) => value),
  ]);
}

/** Removes attachments. @throws {InputFault} if an attachment does not exist. */
export function removeAttachments(document: PdfDocument, names: readonly string[], field: string): Buffer {
  const entries = readEntries(document);
  const removed = new Set(find(entries, names, field));
  const objects = new Set([...removed].map(({ value }) => asDict(value)));
  const kept = entries.filter((entry) => !removed.has(entry));
  return write(document, kept, (related) => related.filter((file) => !objects.has(asDict(file))));
}

function write(
  document: PdfDocument,
  entries: readonly NamedFile[],
  relate: (related: readonly PdfObject[]) => PdfObject[],
): Buffer {
  const catalog = document.catalog.copy();
  const names = catalog.dict('Names')?.copy() ?? new Dict();
  const tree = buildNameTree(entries.map(({ key, value }) => [key, value] as const));
  names.set('EmbeddedFiles', entries.length === 0 ? undefined : Ref.to(tree));
  catalog.set('Names', names.map.size === 0 ? undefined : names);
  const related = relate(catalog.array('AF') ?? []);
  catalog.set('AF', related.length === 0 ? undefined : related);
  catalog.set('Metadata', metadataWithoutClaims(document) ?? catalog.raw('Metadata'));
  return writeEdits(document, { catalog });
}

function readEntries({ catalog }: PdfDocument): Entry[] {
  const tree = readNameTree(catalog.dict('Names')?.dict('EmbeddedFiles'));
  if (tree.length > ATTACHMENT_LIMITS.listed)
    throw new PdfError('too-complex', `has more than ${ATTACHMENT_LIMITS.listed} attachments`);
  let characters = 0;
  const fileNames = new FileNames();
  return tree.map(([key, value]) => {
    const attachment = describe(value, key, fileNames);
    characters += attachment.name.length + (attachment.description?.length ?? 0);
    if (characters > ATTACHMENT_LIMITS.characters)
      throw new PdfError('too-complex', 'has attachments whose names are too long');
    return { key, value, attachment };
  });
}

function describe(value: PdfObject, key: string, fileNames: FileNames): Attachment {
  const dict = asDict(value) ?? new Dict();
  const file = fileOf(value)?.dict;
  const parameters = file?.dict('Params');
  const title = dict.string('UF') ?? dict.string('F');
  const description = dict.string('Desc');
  const modified = parameters?.string('ModDate');
  const relationship = dict.name('AFRelationship');
  const known = Object.entries(RELATIONSHIPS).find(([, written]) => written === relationship)?.[0];
  const ownName = title ? decodeText(title) : key;
  return {
    name: ownName,
    fileName: fileNames.safe(ownName),
    sizeBytes: parameters?.number('Size') ?? null,
    mimeType: file?.name('Subtype') ?? null,
    description: description ? decodeText(description) : null,
    relationship: (known as Relationship | undefined) ?? null,
    modifiedAt: modified ? decodeDate(decodeText(modified)) : null,
  };
}

function fileOf(value: PdfObject): PdfStream | undefined {
  const files = asDict(value)?.dict('EF');
  const file = files?.get('UF') ?? files?.get('F');
  return file instanceof PdfStream ? file : undefined;
}

function find(entries: readonly Entry[], names: readonly string[], field: string): Entry[] {
  const byName = new Map(entries.map((entry) => [entry.attachment.name, entry]));
  return names.map((wanted, index) => {
    const entry = byName.get(wanted);
    if (!entry) throw new InputFault(`${field}[${index}]`, 'is not the name of an attachment of the PDF');
    return entry;
  });
}

function fileSpecification(attachment: NewAttachment, data: Uint8Array, now: number): Dict {
  const { mimeType = 'application/octet-stream', description, relationship = 'unspecified' } = attachment;
  const date = encodeText(`D:${new Date(now).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`);
  const file = Ref.to(
    new PdfStream(
      Dict.of({
        Type: name('EmbeddedFile'),
        Subtype: name(mimeType),
        Params: Dict.of({ Size: data.length, ModDate: date, CheckSum: checksum(data) }),
        Filter: name('FlateDecode'),
      }),
      deflateSync(data),
    ),
  );
  const title = encodeText(attachment.name.toWellFormed());
  return Dict.of({
    Type: name('Filespec'),
    F: title,
    UF: title,
    Desc:
      description === undefined || description === '' ? undefined : encodeText(description.toWellFormed()),
    AFRelationship: name(RELATIONSHIPS[relationship]),
    EF: Dict.of({ F: file, UF: file }),
  });
}

/** The MD5 checksum, which ISO 32000-1 table 46 specifies. */
function checksum(data: Uint8Array): PdfString {
  return new PdfString(createHash('md5').update(data).digest());
}

function decode(data: NewAttachment['data']): Uint8Array | undefined {
  if (typeof data === 'object' && 'raw' in data) return data.raw;
  const bytes =
    typeof data === 'string'
      ? Buffer.from(data, 'latin1')
      : Buffer.from(data.buffer, data.byteOffset, data.length);
  return decodeBase64(bytes) ?? undefined;
}
