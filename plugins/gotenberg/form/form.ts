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

/** The limit of most file systems. Normalizing a name takes a time that is quadratic in its length. */
const MAX_NAME_CHARACTERS = 255;
const MAX_SHOWN_CHARACTERS = 100;

/** Parts whose files are no documents. Clients give all other files any part name, often that of the file. */
const OTHER_FILES = new Set(['embeds', 'facturxXml', 'stamp', 'stamps', 'watermark', 'watermarks']);

/**
 * The multipart form of a request, as Gotenberg reads it. Fields are text, and files are known by their
 * names: of two files with the same name in a field, the last one counts.
 */
export class Form {
  readonly #values = new Map<string, string[]>();
  readonly #files = new Map<string, FormFile>();
  /** The files by their names, until another file is added. */
  #sorted: readonly FormFile[] | undefined;

  /** Adds a text. */
  addValue(field: string, text: string): void {
    const values = this.#values.get(field) ?? [];
    values.push(text);
    this.#values.set(field, values);
  }

  /** Adds a file. A path in its name is removed. @throws {AppError} VALIDATION_ERROR for a long name */
  addFile(part: string, fileName: string, content: Uint8Array): void {
    const field = OTHER_FILES.has(part) ? part : 'files';
    const name = toName(fileName);
    this.#files.set(keyOf(field, name), { field, name, content });
    this.#sorted = undefined;
  }

  /** Tells whether a field has a file with this name. */
  hasFile(field: string, fileName: string): boolean {
    return this.#files.has(keyOf(field, toName(fileName)));
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
    this.#sorted ??= [...this.#files.values()].toSorted((a, b) => compareNames(a.name, b.name));
    return this.#sorted;
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

function toName(fileName: string): string {
  const name = baseName(fileName);
  if (name.length > MAX_NAME_CHARACTERS)
    throw invalidForm([
      `the name of the file '${name.slice(0, MAX_SHOWN_CHARACTERS)}…' is longer than ${MAX_NAME_CHARACTERS} characters`,
    ]);
  return name.normalize('NFC');
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

/**
 * Orders names as Gotenberg does. Names with a number at their beginning, or at their end before the
 * extension, come before others. Two numbers at the beginning are compared first, two at the end last.
 */
export function compareNames(a: string, b: string): number {
  const [first, second] = [readNumber(a), readNumber(b)];
  if (!first || !second) return Number(!first) - Number(!second) || compare(a, b);
  if (first.isPrefix && second.isPrefix)
    return compare(first.number, second.number) || compare(first.rest, second.rest);
  const order = compare(first.rest, second.rest);
  if (first.isPrefix !== second.isPrefix) return order || (first.isPrefix ? -1 : 1);
  return order || compare(first.number, second.number) || compare(a, b);
}

function readNumber(name: string): { number: number; rest: string; isPrefix: boolean } | undefined {
  const [prefix] = /^\d+/.exec(name) ?? [];
  if (prefix !== undefined)
    return { number: Number(prefix), rest: name.slice(prefix.length), isPrefix: true };
  const extension = /\.[^.]*$/.exec(name)?.[0] ?? '';
  const stemEnd = name.length - extension.length;
  let start = stemEnd;
  // A regular expression would take quadratic time.
  while (start > 0 && /\d/.test(name.charAt(start - 1))) start -= 1;
  if (start === stemEnd) return undefined;
  const number = Number(name.slice(start, stemEnd));
  return { number, rest: name.slice(0, start) + extension, isPrefix: false };
}

function compare<T extends number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Creates the error for a form that is not valid. Its message is Gotenberg's. */
export function invalidForm(faults: readonly string[]): AppError {
  return new AppError('VALIDATION_ERROR', `Invalid form data: ${faults.join('\n')}`);
}
