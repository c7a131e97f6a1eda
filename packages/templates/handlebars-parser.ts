import Handlebars from 'handlebars';
import { TemplateFault, type TemplatePosition } from './fault.ts';

/** The lexer of Handlebars' generated parser (jison), as far as it is used; Handlebars' types leave it out. */
export interface Lexer {
  match: string;
  yylloc: { first_line: number; first_column: number; last_line: number; last_column: number };
  conditionStack: string[];
  setInput: (source: string) => void;
  lex: () => Token;
  next: () => Token | undefined;
}
/** The number of a terminal, or its name. */
export type Token = number | string;
interface Parser {
  lexer: Lexer;
  terminals_: Record<number, string>;
  parseError: (message: string, details: ParseErrorDetails) => never;
}
/** What jison tells of a text that does not parse. */
export interface ParseErrorDetails {
  token: string | null;
  /** Names of terminals in single quotes; absent for text that is no token at all. */
  expected?: string[];
}

/**
 * Handlebars' parser. It is one object for the whole thread, and so is its state: parsing is synchronous.
 * Importing this module changes it in two places: its errors keep their details, and nesting is bounded.
 */
export const parser: Parser = Reflect.get(Handlebars, 'Parser');

/** The terminals that open what `OPEN_ENDBLOCK` closes. */
export const OPENERS = new Set(['OPEN_BLOCK', 'OPEN_INVERSE', 'OPEN_PARTIAL_BLOCK']);

/** A jison error with what it carries beside its message, which is a drawing. */
export class UnexpectedToken extends Error {
  readonly details: ParseErrorDetails;

  constructor(message: string, details: ParseErrorDetails) {
    super(message);
    this.details = details;
  }
}

parser.parseError = (message, details) => {
  throw new UnexpectedToken(message, details);
};

// The parser takes quadratic time in the depth of nesting, and the compiler recurses.
const MAX_NESTING = 300;
const next = parser.lexer.next;
let nesting: number[] = [];

/** Forgets the nesting of a text that was read before, perhaps not to its end. */
export function resetNesting(): void {
  nesting = [];
}

parser.lexer.next = function countNesting(this: Lexer) {
  const token = next.call(this);
  if (token === undefined) return undefined;
  const name = terminalName(token);
  if (OPENERS.has(name) || name === 'OPEN_SEXPR') nesting.push(1);
  else if (name === 'OPEN_ENDBLOCK' || name === 'CLOSE_SEXPR') nesting.pop();
  // Each link of an else-if chain lies inside the one before; all end with the block.
  else if (name === 'OPEN_INVERSE_CHAIN') nesting.push((nesting.pop() ?? 0) + 1);
  else return token;
  if (nesting.length > MAX_NESTING || (nesting.at(-1) ?? 0) > MAX_NESTING) {
    throw new TemplateFault(
      `blocks or expressions are nested more than ${MAX_NESTING} levels deep`,
      startOf(this),
    );
  }
  return token;
};

/** Names the terminal of a token. */
export function terminalName(token: Token): string {
  // oxlint-disable-next-line eslint/no-underscore-dangle -- jison's name
  return typeof token === 'number' ? (parser.terminals_[token] ?? 'EOF') : token;
}

/** Gives the place of the token that was read last. */
export function startOf({ yylloc }: Lexer): TemplatePosition {
  return { line: yylloc.first_line, column: yylloc.first_column + 1 };
}
