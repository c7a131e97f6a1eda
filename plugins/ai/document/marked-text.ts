import type { TemplatePiece } from '@platen/templates';
import { DocumentFault } from './fault.ts';

/** A piece of a template that is a Handlebars tag. */
export type Tag = Exclude<TemplatePiece, { kind: 'text' }>;

// Plane 15 is a private use area: each tag gets its own code point, and no template needs these code points
// for anything else.
const FIRST_MARKER = 0xf0000;
const MAX_TAGS = 0xfff0;
const MARKER = /[\u{f0000}-\u{fffef}]/gu;
// oxlint-disable-next-line eslint/no-control-regex -- the pattern matches control characters
const UNWANTED = /[\0-\x08\x0b\x0e-\x1f\x7f\u{f0000}-\u{10ffff}]/u;

/**
 * A template as a single text in which each Handlebars tag is replaced with one character, its marker. The
 * branches of a block follow each other, so the text contains everything that the template itself can output.
 */
export class MarkedText {
  readonly text: string;
  readonly #tags: Tag[] = [];

  /** @throws {DocumentFault} for control and private-use characters, and for too many tags. */
  constructor(pieces: readonly TemplatePiece[]) {
    this.text = pieces.map((piece) => this.#write(piece)).join('');
  }

  /** All tags, in document order. */
  get tags(): readonly Tag[] {
    return this.#tags;
  }

  /** Lists the tags whose markers occur in the text. */
  tagsIn(text: string): Tag[] {
    return [...text.matchAll(MARKER)].flatMap(([marker]) => {
      const tag = this.#tags[(marker.codePointAt(0) ?? 0) - FIRST_MARKER];
      return tag ? [tag] : [];
    });
  }

  #write(piece: TemplatePiece): string {
    if (piece.kind === 'text') {
      if (UNWANTED.test(piece.text) || !piece.text.isWellFormed())
        throw new DocumentFault('broken HTML', 'the document contains control or private-use characters');
      return piece.text.replaceAll(/\r\n?/g, '\n');
    }
    if (this.#tags.length >= MAX_TAGS)
      throw new DocumentFault('too long', `the document has more than ${MAX_TAGS} Handlebars tags`);
    this.#tags.push(piece);
    return String.fromCodePoint(FIRST_MARKER + this.#tags.length - 1);
  }
}

export function hasMarker(text: string): boolean {
  return text.search(MARKER) >= 0;
}

export function isMarker(text: string): boolean {
  return text.length === 2 && hasMarker(text);
}

/** Splits leading markers from the rest of the text. */
export function splitMarkers(text: string): { markers: string; rest: string } {
  const [markers = ''] = /^[\u{f0000}-\u{fffef}]*/u.exec(text) ?? [];
  return { markers, rest: text.slice(markers.length) };
}
