import type { TemplatePiece } from '@platen/templates';
import { DocumentFault } from './fault.ts';

/** A piece that is no text. */
export type Tag = Exclude<TemplatePiece, { kind: 'text' }>;

// Plane 15 is of private use: a code point for each tag, which no template needs for anything else.
const FIRST = 0xf0000;
const MOST_TAGS = 0xfff0;
const MARKER = /[\u{f0000}-\u{fffef}]/gu;
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what is looked for
const UNWANTED = /[\0-\x08\x0b\x0e-\x1f\x7f\u{f0000}-\u{10ffff}]/u;

/**
 * A template as one text in which every tag of Handlebars is one character, its marker. All branches of a block follow one another, so that
 * whatever the template could write lies in it.
 */
export class Outline {
  readonly text: string;
  readonly #tags: Tag[] = [];

  /** @throws {DocumentFault} for characters that no document needs, and for partials. */
  constructor(pieces: readonly TemplatePiece[]) {
    this.text = pieces.map((piece) => this.#write(piece)).join('');
  }

  /** All tags, in their order. */
  get tags(): readonly Tag[] {
    return this.#tags;
  }

  /** Lists the tags whose markers are in a text. */
  tagsIn(text: string): Tag[] {
    return [...text.matchAll(MARKER)].flatMap(([marker]) => {
      const tag = this.#tags[(marker.codePointAt(0) ?? 0) - FIRST];
      return tag ? [tag] : [];
    });
  }

  #write(piece: TemplatePiece): string {
    if (piece.kind === 'text') {
      if (UNWANTED.test(piece.text) || !piece.text.isWellFormed())
        throw new DocumentFault('broken HTML', 'there are control or private-use characters in it');
      return piece.text.replaceAll(/\r\n?/g, '\n');
    }
    if (this.#tags.length >= MOST_TAGS)
      throw new DocumentFault('too long', 'there are too many Handlebars tags in it');
    this.#tags.push(piece);
    return String.fromCodePoint(FIRST + this.#tags.length - 1);
  }
}

/** Tells whether a text has markers in it. */
export function hasMarker(text: string): boolean {
  return text.search(MARKER) >= 0;
}

/** Tells whether a text is one marker and nothing else. */
export function isMarker(text: string): boolean {
  return text.length === 2 && hasMarker(text);
}

/** Parts the markers at the beginning of a text from the rest. */
export function splitMarkers(text: string): { markers: string; rest: string } {
  const [markers = ''] = /^[\u{f0000}-\u{fffef}]*/u.exec(text) ?? [];
  return { markers, rest: text.slice(markers.length) };
}
