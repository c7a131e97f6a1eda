import Handlebars from 'handlebars';
import {
  OPENERS,
  parser,
  parseSyntax,
  resetNesting,
  startOf,
  terminalName,
  UnexpectedToken,
  type ParseErrorDetails,
} from './handlebars-parser.ts';
import { quote, TemplateFault, type TemplatePosition } from './fault.ts';
import { nearestName } from './helpers/nearest-name.ts';
import { BUILT_IN_HELPERS, TEMPLATE_HELPERS } from './helpers/helper-table.ts';

/** Parses a template without applying whitespace control. @throws {TemplateFault} with the position. */
export function parseSource(source: string): hbs.AST.Program {
  try {
    return parseSyntax(source);
  } catch (error) {
    if (error instanceof UnexpectedToken) throw unexpected(source, error.details);
    throw error;
  }
}

/** Converts an exception of Handlebars' own checks to a fault. */
export function fromException({
  message,
  lineNumber,
  column,
}: InstanceType<typeof Handlebars.Exception>): TemplateFault {
  const sentence = explain(message.replace(/ - \d+:\d+$/, ''));
  if (typeof lineNumber !== 'number') return new TemplateFault(sentence);
  return new TemplateFault(sentence, { line: lineNumber, column: Number(column) + 1 });
}

function explain(text: string): string {
  const [, opened, closed] = /^(.*) doesn't match (.*)$/s.exec(text) ?? [];
  if (opened !== undefined && closed !== undefined)
    return `the block ${quote(opened)} is closed by ${quote(closed)}`;
  const [, helper] = /^You specified knownHelpersOnly, but used the unknown helper (.*)$/s.exec(text) ?? [];
  if (helper === undefined) return text.charAt(0).toLowerCase() + quote(text).slice(2, -1);
  // Handlebars reports `this` and `..` as undefined.
  const name = helper === 'undefined' ? 'this' : helper;
  if (name === 't') return 'the helper "t" needs "translations", which this template does not have';
  const names = [...BUILT_IN_HELPERS.keys(), ...TEMPLATE_HELPERS.keys()];
  const nearest = nearestName(name, names);
  const advice =
    nearest === undefined ? `the helpers are ${names.join(', ')}` : `did you mean ${quote(nearest)}?`;
  return `unknown helper ${quote(name)}; ${advice}`;
}

function unexpected(source: string, { token, expected = [] }: ParseErrorDetails): TemplateFault {
  const { yylloc, conditionStack, match } = parser.lexer;
  if (token === null)
    return unreadable(
      source,
      { line: yylloc.last_line, column: yylloc.last_column + 1 },
      conditionStack.at(-1),
    );

  const position = startOf(parser.lexer);
  const wanted = new Set(expected.map((name) => name.slice(1, -1)));
  const rest = textFrom(source, position);
  const inTag = !wanted.has('OPEN') && !wanted.has('OPEN_ENDBLOCK') && !wanted.has('EOF');
  if (inTag && !rest.includes('}}')) return new TemplateFault('the tag is not closed by "}}"', position);
  if (token === 'EOF')
    return unclosedBlock(source) ?? new TemplateFault('the template ends unexpectedly', position);
  if (token === 'OPEN_ENDBLOCK' && wanted.has('EOF')) {
    return new TemplateFault(`${quote(tagAt(rest))} closes a block that is not open`, position);
  }
  if (token === 'INVERSE' || token === 'OPEN_INVERSE_CHAIN') {
    const why = wanted.has('OPEN_ENDBLOCK') ? 'follows another one in the same block' : 'is outside a block';
    return new TemplateFault(`${quote(tagAt(rest))} ${why}`, position);
  }
  if (token === 'INVALID' && /^["']/.test(rest))
    return new TemplateFault('the string is not closed', position);
  const found = token === 'INVALID' ? (/^[^\s{}]+/.exec(rest)?.[0] ?? match) : match;
  return new TemplateFault(`found ${quote(found)} where ${listed(wanted)} is expected`, position);
}

function unreadable(
  source: string,
  position: TemplatePosition,
  condition: string | undefined,
): TemplateFault {
  if (condition === 'com') return new TemplateFault('the comment is not closed by "--}}"', position);
  if (condition === 'raw') return new TemplateFault('the raw block is not closed', position);
  return new TemplateFault(
    `found ${quote(JSON.stringify(textFrom(source, position).charAt(0)).slice(1, -1))}, which is not allowed in a template`,
    position,
  );
}

// The parser reports an unclosed block only at the end of the template. Find the innermost open block
// instead.
function unclosedBlock(source: string): TemplateFault | undefined {
  const { lexer } = parser;
  const open: { name: string; position: TemplatePosition }[] = [];
  let opening = false;
  resetNesting();
  lexer.setInput(source);
  for (let name = ''; name !== 'EOF';) {
    name = terminalName(lexer.lex());
    if (OPENERS.has(name)) opening = true;
    else if (name === 'OPEN_ENDBLOCK') open.pop();
    else if (opening) {
      opening = false;
      open.push({ name: lexer.match, position: startOf(lexer) });
    }
  }
  const innermost = open.pop();
  return (
    innermost && new TemplateFault(`the block ${quote(innermost.name)} is not closed`, innermost.position)
  );
}

function textFrom(source: string, { line, column }: TemplatePosition): string {
  let start = 0;
  const breaks = /\r\n?|\n/g;
  for (let current = 1; current < line && breaks.exec(source); current += 1) start = breaks.lastIndex;
  return source.slice(start + column - 1);
}

function tagAt(text: string): string {
  return /^.*?\}\}/s.exec(text)?.[0] ?? text;
}

const TERMINALS: readonly (readonly [terminal: string, name: string])[] = [
  ['CLOSE', '"}}"'],
  ['CLOSE_UNESCAPED', '"}}}"'],
  ['CLOSE_RAW_BLOCK', '"}}}}"'],
  ['CLOSE_SEXPR', '")"'],
  ['CLOSE_BLOCK_PARAMS', '"|"'],
  ['EQUALS', '"="'],
  ['OPEN_SEXPR', '"("'],
  ['ID', 'a name'],
  ['STRING', 'a value'],
  ['OPEN_ENDBLOCK', 'the end of the block'],
];
const OTHER_CLOSERS = new Set(['CLOSE_UNESCAPED', 'CLOSE_RAW_BLOCK', 'CLOSE_SEXPR']);

function listed(wanted: ReadonlySet<string>): string {
  // In this state the parser does not know the kind of tag yet.
  const names = TERMINALS.filter(
    ([terminal]) => wanted.has(terminal) && !(wanted.has('CLOSE') && OTHER_CLOSERS.has(terminal)),
  );
  const words = names.map(([, name]) => name);
  const last = words.pop() ?? 'something else';
  return words.length > 0 ? `${words.join(', ')} or ${last}` : last;
}
