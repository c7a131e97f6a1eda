import { TEMPLATE_HELPERS } from '@platen/templates';
import { DocumentFault, quote } from './fault.ts';
import type { MarkedText, Tag } from './marked-text.ts';

const MISPLACED = 'a misplaced Handlebars tag';

/**
 * The position of a tag: in text, in a `<style>` or `<title>`, in the value of an attribute, or between the
 * attributes of an element.
 */
export interface TagPlace {
  kind: 'text' | 'style' | 'title' | 'value' | 'styleValue' | 'attributes';
  /** Identifies the element or attribute; 0 for text. */
  id: number;
}

interface OpenBlock {
  block: number;
  branch: number;
  place: TagPlace;
}

/**
 * Tracks the blocks of a template through its HTML. All edges of a block (opening, else and closing tag) must
 * be in the same place. The surrounding HTML then parses the same way whichever branch is taken, so a check
 * of all branches in sequence holds for every rendering.
 */
export class Blocks {
  readonly #open: OpenBlock[] = [];
  readonly #edgesLeft = new Map<number, number>();
  #seen = 0;

  constructor(document: MarkedText) {
    for (const tag of document.tags) {
      if (tag.kind === 'edge') this.#edgesLeft.set(tag.block, (this.#edgesLeft.get(tag.block) ?? 0) + 1);
    }
  }

  /** The number of tags visited. */
  get seen(): number {
    return this.#seen;
  }

  /** Identifies the branches that enclose the current position; equal paths mean the same branches. */
  get path(): string {
    return this.#open.map(({ block, branch }) => `${block}.${branch}`).join('/');
  }

  /** Visits the next tag. @throws {DocumentFault} when it is not allowed in this place. */
  visit(tag: Tag, place: TagPlace): void {
    this.#seen += 1;
    switch (tag.kind) {
      case 'partial':
        throw new DocumentFault(MISPLACED, 'partials are not supported; write their content inline');
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
        'a block must open and close in the same place: in text, or inside the quotes of one attribute',
      );
    innermost.branch += 1;
    if (left === 0) this.#open.pop();
  }
}

function requireValue(tag: Extract<Tag, { kind: 'value' }>, { kind }: TagPlace): void {
  if (!tag.escaped)
    throw new DocumentFault(MISPLACED, 'values must be escaped: write {{name}}, not {{{name}}} or {{&name}}');
  if (kind === 'attributes')
    throw new DocumentFault(
      MISPLACED,
      'a value between attributes is not allowed; put it inside the quotes of an attribute',
    );
  // The output of helpers that return HTML or CSS is not escaped, so each is allowed only where that markup
  // belongs.
  const unescaped = tag.helpers.find((helper) => TEMPLATE_HELPERS.get(helper)?.output !== undefined);
  const output = unescaped === undefined ? undefined : TEMPLATE_HELPERS.get(unescaped)?.output;
  if (
    unescaped !== undefined &&
    !(kind === 'text' && output === 'html') &&
    !(kind === 'style' && output === 'css')
  )
    throw new DocumentFault(MISPLACED, `the helper ${quote(unescaped)} is not allowed here`);
  requireLiterals(tag.literals, kind);
}

/**
 * Rejects string literals in styles that could assemble a construct that is rejected elsewhere, such as
 * `url()`.
 */
function requireLiterals(literals: readonly string[], kind: TagPlace['kind']): void {
  if (kind !== 'style' && kind !== 'styleValue') return;
  const wrong = literals.find((literal) => /[()\\@:/;{}<>]/.test(literal));
  if (wrong !== undefined)
    throw new DocumentFault(
      MISPLACED,
      `the string ${quote(wrong)} is not allowed in an expression inside styles`,
    );
}
