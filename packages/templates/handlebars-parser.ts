import Handlebars from 'handlebars';
import { TemplateFault, type TemplatePosition } from './fault.ts';

/**
 * The members that this package uses of the lexer in Handlebars' generated parser (jison). Handlebars' types
 * omit it.
 */
interface Lexer {
  match: string;
  yylloc: { first_line: number; first_column: number; last_line: number; last_column: number };
  conditionStack: string[];
  setInput: (source: string) => void;
  lex: () => Token;
  next: () => Token | undefined;
}
/** The number or name of a terminal symbol. */
export type Token = number | string;
interface Parser {
  lexer: Lexer;
  terminals_: Record<number, string>;
  parseError: (message: string, details: ParseErrorDetails) => never;
}
/** The details of a jison syntax error. */
export interface ParseErrorDetails {
  token: string | null;
  /** Names of terminal symbols in single quotes. Absent if the lexer found no token. */
  expected?: string[];
}

/**
 * Handlebars' parser. Its state is shared by the whole thread; parsing is synchronous. Importing this module
 * changes the parser: errors keep their details, and nesting is limited.
 */
export const parser: Parser = Reflect.get(Handlebars, 'Parser');

/** The terminal symbols of the tags that open a block. `OPEN_ENDBLOCK` closes them. */
export const OPENERS = new Set(['OPEN_BLOCK', 'OPEN_INVERSE', 'OPEN_PARTIAL_BLOCK']);

/** A jison syntax error with its details. The message of jison is a multi-line drawing. */
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

// The parser takes quadratic time in the nesting depth, and the compiler is recursive.
const MAX_NESTING = 300;
const next = parser.lexer.next;
let nesting: number[] = [];

/** Resets the nesting count before a new template is parsed. */
export function resetNesting(): void {
  nesting = [];
}

parser.lexer.next = function countNesting(this: Lexer) {
  const token = next.call(this);
  if (token === undefined) return undefined;
  const name = terminalName(token);
  if (OPENERS.has(name) || name === 'OPEN_SEXPR') nesting.push(1);
  else if (name === 'OPEN_ENDBLOCK' || name === 'CLOSE_SEXPR') nesting.pop();
  // Each `else if` is nested in the previous one. All end with the block.
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

/**
 * Parses a template without applying whitespace control. This module does not load the compiler's helpers, so
 * the studio's page can import it.
 * @throws {UnexpectedToken | TemplateFault | Error} if the template does not parse.
 */
export function parseSyntax(source: string): hbs.AST.Program {
  resetNesting();
  return Handlebars.parseWithoutProcessing(source);
}

/** Returns the name of a token's terminal symbol. */
export function terminalName(token: Token): string {
  // oxlint-disable-next-line eslint/no-underscore-dangle -- jison's name
  return typeof token === 'number' ? (parser.terminals_[token] ?? 'EOF') : token;
}

/** Returns the position of the last token. */
export function startOf({ yylloc }: Lexer): TemplatePosition {
  return { line: yylloc.first_line, column: yylloc.first_column + 1 };
}
