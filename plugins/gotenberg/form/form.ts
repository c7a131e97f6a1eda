import { basename } from 'node:path/posix';
import { AppError } from '../../../src/plugin.ts';

/** A file of a form. */
export interface FormFile {
  /** The name of the field: usually `files`, but also `embeds`, `watermark` or `stamp`. */
  field: string;
  /** The last segment of the name that the client gave, in Unicode's normalization form C. */
  name: string;
  content: Uint8Array;
}

/** One part of a body. */
export interface FormPart {
  name: string;
  fileName: string | undefined;
  content: Uint8Array;
}

/** Parts whose files are no documents. Clients give all other files any part name, often that of the file. */
const OTHER_FILES = new Set(['embeds', 'facturxXml', 'stamp', 'stamps', 'watermark', 'watermarks']);

/**
 * The multipart form of a request, as Gotenberg reads it. Fields are text, and files are known by their
 * names: of two files with the same name in a field, the last one counts.
 */
export class Form {
  readonly #values = new Map<string, string[]>();
  readonly #files = new Map<string, FormFile>();
  /** The files in order, until another one is added. */
  #ordered: readonly FormFile[] | undefined;

  /** Adds a text. */
  addValue(field: string, text: string): void {
    const values = this.#values.get(field) ?? [];
    values.push(text);
    this.#values.set(field, values);
  }

  /** Adds a file. A path in its name is removed. */
  addFile(part: string, fileName: string, content: Uint8Array): void {
    const field = fieldOf(part);
    const name = toName(fileName);
    this.#files.set(keyOf(field, name), { field, name, content });
    this.#ordered = undefined;
  }

  /** Tells whether the field of a part has a file with this name. */
  hasFile(part: string, fileName: string): boolean {
    return this.#files.has(keyOf(fieldOf(part), toName(fileName)));
  }

  /** The bytes of all texts and files. */
  get sizeBytes(): number {
    const texts = [...this.#values.values()].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return this.files.reduce((sum, { content }) => sum + content.length, texts);
  }

  /** The texts of all fields. */
  get texts(): Iterable<readonly [field: string, texts: readonly string[]]> {
    return this.#values;
  }

  /** Returns the first text of a field; an empty text if there is none. */
  value(field: string): string {
    return this.#values.get(field)?.[0] ?? '';
  }

  /** Returns all texts of a field. */
  values(field: string): readonly string[] {
    return this.#values.get(field) ?? [];
  }

  /** Returns all files, ordered by their names. */
  get files(): readonly FormFile[] {
    return (this.#ordered ??= inOrder([...this.#files.values()]));
  }

  /** Returns the files of a field in the order of the body. */
  filesAsSent(field: string): readonly FormFile[] {
    return [...this.#files.values()].filter((file) => file.field === field);
  }

  /** Returns the files of a field with one of the extensions, ordered by their names. */
  filesOf(field: string, extensions?: readonly string[]): readonly FormFile[] {
    return this.files.filter(
      (file) => file.field === field && (!extensions || extensions.includes(extensionOf(file.name))),
    );
  }
}

function fieldOf(part: string): string {
  return OTHER_FILES.has(part) ? part : 'files';
}

function toName(fileName: string): string {
  return baseName(fileName).normalize('NFC');
}

/** Returns the key of a file. The name of a field has no line break. */
function keyOf(field: string, name: string): string {
  return `${field}\n${name}`;
}

/** Returns the extension of a file name in lower case, with its dot; empty if it has none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}

/** Returns the last segment of a path of any operating system. */
export function baseName(path: string): string {
  return basename(path.replaceAll('\\', '/'));
}

/** A name with a number at its beginning, or at its end before the extension. */
interface Numbered {
  number: number;
  /** The name without the number. */
  rest: string;
  isPrefix: boolean;
}

/**
 * Orders files as Gotenberg does. Names with a number at their beginning, or at their end before the
 * extension, come before others. Two numbers at the beginning are compared first, two at the end last.
 */
function inOrder(files: readonly FormFile[]): FormFile[] {
  // A name is read once, not in each comparison: a form may have many long names.
  const named = files.map((file) => ({ file, name: file.name, numbered: readNumber(file.name) }));
  return named.toSorted(compareNames).map(({ file }) => file);
}

function compareNames(
  { name: a, numbered: first }: { name: string; numbered: Numbered | undefined },
  { name: b, numbered: second }: { name: string; numbered: Numbered | undefined },
): number {
  if (!first || !second) return Number(!first) - Number(!second) || compare(a, b);
  if (first.isPrefix && second.isPrefix)
    return compare(first.number, second.number) || compare(first.rest, second.rest);
  const order = compare(first.rest, second.rest);
  if (first.isPrefix !== second.isPrefix) return order || (first.isPrefix ? -1 : 1);
  return order || compare(first.number, second.number) || compare(a, b);
}

function readNumber(name: string): Numbered | undefined {
  const [prefix] = /^\d+/.exec(name) ?? [];
  if (prefix !== undefined)
    return { number: Number(prefix), rest: name.slice(prefix.length), isPrefix: true };
  const extension = /\.[^.]*$/.exec(name)?.[0] ?? '';
  const stemEnd = name.length - extension.length;
  let start = stemEnd;
  // A regular expression would take quadratic time.
  while (start > 0 && isDigit(name.charCodeAt(start - 1))) start -= 1;
  if (start === stemEnd) return undefined;
  const number = Number(name.slice(start, stemEnd));
  return { number, rest: name.slice(0, start) + extension, isPrefix: false };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function compare<T extends number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Creates the error for a form that is not valid. Its message is Gotenberg's. */
export function invalidForm(faults: readonly string[]): AppError {
  return new AppError('VALIDATION_ERROR', `Invalid form data: ${faults.join('\n')}`);
}
