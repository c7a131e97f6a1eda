import { TEMPLATE_HELPERS } from '@platen/templates';
import { DocumentFault, quote } from './fault.ts';
import type { Outline, Tag } from './outline.ts';

const MISPLACED = 'Handlebars in a place where it is not allowed';

/** Where a tag stands: in text, in the text of one `<style>` or `<title>`, in the value of one attribute, or between attributes of one element. */
export interface TagPlace {
  kind: 'text' | 'style' | 'title' | 'value' | 'styleValue' | 'attributes';
  /** Which element or attribute it is; 0 for text. */
  id: number;
}

interface OpenBlock {
  block: number;
  branch: number;
  place: TagPlace;
}

/**
 * Follows the blocks of a template through its HTML. The edges of a block must all stand in the same place: then the HTML around is read in
 * the same way whatever branch is taken, and whatever was found of all branches in a row holds for each rendering.
 */
export class Blocks {
  readonly #open: OpenBlock[] = [];
  readonly #edgesLeft = new Map<number, number>();
  #seen = 0;

  constructor(outline: Outline) {
    for (const tag of outline.tags) {
      if (tag.kind === 'edge') this.#edgesLeft.set(tag.block, (this.#edgesLeft.get(tag.block) ?? 0) + 1);
    }
  }

  /** How many tags were seen. */
  get seen(): number {
    return this.#seen;
  }

  /** Names the branches around this point; the same text means the same branches. */
  get path(): string {
    return this.#open.map(({ block, branch }) => `${block}.${branch}`).join('/');
  }

  /** Takes the next tag. @throws {DocumentFault} when it may not stand there. */
  visit(tag: Tag, place: TagPlace): void {
    this.#seen += 1;
    switch (tag.kind) {
      case 'partial':
        throw new DocumentFault(MISPLACED, 'partials are not available; write their content out');
      case 'value':
        return requireValue(tag, place);
      case 'edge':
        return this.#edge(tag.block, place);
    }
  }

  #edge(block: number, place: TagPlace): void {
    const left = (this.#edgesLeft.get(block) ?? 0) - 1;
    this.#edgesLeft.set(block, left);
    const innermost = this.#open.at(-1);
    if (innermost?.block !== block) {
      this.#open.push({ block, branch: 0, place });
      return;
    }
    if (innermost.place.kind !== place.kind || innermost.place.id !== place.id)
      throw new DocumentFault(
        MISPLACED,
        'a block begins in one place and ends in another: open and close it in text, or inside the quotes of one attribute',
      );
    innermost.branch += 1;
    if (left === 0) this.#open.pop();
  }
}

function requireValue(tag: Extract<Tag, { kind: 'value' }>, { kind }: TagPlace): void {
  if (!tag.escaped)
    throw new DocumentFault(MISPLACED, 'values must be escaped: write {{name}}, not {{{name}}} or {{&name}}');
  if (kind === 'attributes')
    throw new DocumentFault(MISPLACED, 'a value stands between attributes; it may stand in quotes only');
  // Helpers that return HTML or CSS are not escaped: each may stand only where its markup belongs.
  const unescaped = tag.helpers.find((helper) => TEMPLATE_HELPERS.get(helper)?.output !== undefined);
  const output = unescaped === undefined ? undefined : TEMPLATE_HELPERS.get(unescaped)?.output;
  if (
    unescaped !== undefined &&
    !(kind === 'text' && output === 'html') &&
    !(kind === 'style' && output === 'css')
  )
    throw new DocumentFault(MISPLACED, `the helper ${quote(unescaped)} may not stand there`);
  requireLiterals(tag.literals, kind);
}

/** In styles, a text in an expression could be what is refused elsewhere. */
function requireLiterals(literals: readonly string[], kind: TagPlace['kind']): void {
  if (kind !== 'style' && kind !== 'styleValue') return;
  const wrong = literals.find((literal) => /[()\\@:/;{}<>]/.test(literal));
  if (wrong !== undefined)
    throw new DocumentFault(MISPLACED, `the text ${quote(wrong)} may not stand in an expression in styles`);
}
