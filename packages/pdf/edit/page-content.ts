import {
  compressedStream,
  decodeStream,
  Dict,
  PdfStream,
  Ref,
  resolve,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '../objects/index.ts';
import { balance } from './balance.ts';

/** Below this size, compression saves little. */
const SMALL_BYTES = 100;

/** Appends content to pages, in the initial graphics state. Pages that share content still share it. */
export class PageContents {
  readonly #document: PdfDocument;
  readonly #save = contentStream('q\n');
  readonly #restores = new Map<number, Ref>();
  readonly #enclosed = new Map<PdfStream | PdfObject[], PdfObject[]>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** Returns the `Contents` of a page, followed by another content stream. */
  append(contents: PdfObject | undefined, added: Ref): PdfObject[] {
    const value = resolve(contents);
    if (!(value instanceof PdfStream) && !Array.isArray(value)) return [added];
    const enclosed =
      this.#enclosed.get(value) ?? this.#enclose(Array.isArray(value) ? value : [contents ?? null]);
    this.#enclosed.set(value, enclosed);
    return [...enclosed, added];
  }

  /** Encloses content in operators that save and restore the graphics state. */
  #enclose(parts: readonly PdfObject[]): PdfObject[] {
    const decoded = parts.map((part) => {
      const stream = resolve(part);
      return stream instanceof PdfStream ? decodeStream(stream, this.#document.budget) : new Uint8Array();
    });
    const readable = decoded.filter((part) => part !== undefined);
    const [first = new Uint8Array()] = readable;
    const before =
      decoded.length === 1 ? first : Buffer.concat(readable.flatMap((part) => [part, Buffer.from('\n')]));
    const whole = readable.length === decoded.length ? balance(before) : undefined;
    // Keep the original streams if they are balanced.
    const kept = !whole || whole.content === before ? parts : [contentStream(whole.content)];
    return [this.#save, ...kept, this.#restore((whole?.open ?? 0) + 1)];
  }

  #restore(count: number): Ref {
    const known = this.#restores.get(count) ?? contentStream(`\n${'Q\n'.repeat(count)}`);
    this.#restores.set(count, known);
    return known;
  }
}

/** Returns the content streams of a page. */
export function contentsOf({ dict }: Page): readonly PdfObject[] {
  const list = dict.array('Contents');
  if (list) return list;
  const single = dict.raw('Contents');
  return single instanceof Ref ? [single] : [];
}

/** Makes a content stream, compressed unless it is small. */
export function contentStream(content: string | Uint8Array): Ref {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  if (bytes.length < SMALL_BYTES) return Ref.to(new PdfStream(new Dict(), bytes));
  return compressedStream(bytes);
}
