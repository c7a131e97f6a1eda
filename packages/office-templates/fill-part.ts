import { compileTemplate, parseTemplate, type CompileInput, type Result } from '@platen/templates';
import { readTree, type TreeElement, type TreeNode } from '@platen/xml';
import { tagFault } from './fault.ts';
import { encodeLiteral, tagOf } from './tags.ts';
import { writeValue } from './values.ts';

/** A variable that a file needs and the data lacks. */
export interface MissingVariable {
  path: string;
  count: number;
  /** Where the file first needs it, such as `Sheet1!B7`. */
  place: string;
}

/** The rest of what a filling may still write, and the variables that it lacked. */
export interface Filling {
  data: object;
  remainingBytes: number;
  missing: MissingVariable[];
}

/** A part of a file as a Handlebars template: its XML is the text of the template. */
export interface PartTemplate {
  source: string;
  places: readonly TagPlace[];
}

interface TagPlace {
  line: number;
  column: number;
  place: string;
}

/** Converts a part whose blocks are in place to a Handlebars template. */
export function toTemplate(root: TreeElement): PartTemplate {
  const writer = new TemplateWriter();
  writer.write(root);
  return { source: writer.pieces.join(''), places: writer.places };
}

class TemplateWriter {
  readonly pieces: string[] = [];
  readonly places: TagPlace[] = [];
  #line = 1;
  #column = 1;

  write(node: TreeNode): void {
    if (typeof node === 'string') {
      this.#push(encodeLiteral(node));
      return;
    }
    const tag = tagOf(node);
    if (tag) {
      this.places.push({ line: this.#line, column: this.#column, place: tag.place });
      this.#push(tag.source);
      return;
    }
    let start = `<${node.name}`;
    for (const [key, value] of node.attributes) start += ` ${key}="${encodeLiteral(value)}"`;
    this.#push(node.children.length === 0 ? `${start}/>` : `${start}>`);
    for (const child of node.children) this.write(child);
    if (node.children.length > 0) this.#push(`</${node.name}>`);
  }

  #push(text: string): void {
    this.pieces.push(text);
    let at = -1;
    let last = -1;
    for (at = nextBreak(text, 0); at >= 0; at = nextBreak(text, last + 1)) {
      last = text[at] === '\r' && text[at + 1] === '\n' ? at + 1 : at;
      this.#line += 1;
      this.#column = 1;
    }
    this.#column += text.length - (last + 1);
  }
}

function nextBreak(text: string, from: number): number {
  const lf = text.indexOf('\n', from);
  const cr = text.indexOf('\r', from);
  return lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr);
}

/** Checks that the tags of a part compile. @throws {OfficeFault} */
export function checkPart(part: PartTemplate): void {
  unwrap(part, parseTemplate({ source: part.source }));
}

/** Fills a part. @throws {OfficeFault} */
export function fillPart(part: PartTemplate, filling: Filling): TreeElement {
  const input: CompileInput = {
    source: part.source,
    data: filling.data,
    writeValue,
    positions: true,
    maxOutputBytes: Math.max(1, filling.remainingBytes),
  };
  const { html, missing = [] } = unwrap(part, compileTemplate(input));
  filling.remainingBytes -= html.length;
  for (const { path, count, position } of missing)
    filling.missing.push({ path, count, place: position ? placeAt(part, position) : '' });
  return readTree(html.replaceAll('&#123;', '{').replaceAll('&#92;', '\\'));
}

function unwrap<T>(part: PartTemplate, result: Result<T>): T {
  if (result.ok) return result.value;
  const { message, line, column } = result;
  if (line === undefined || column === undefined) throw tagFault('the file', message);
  const sentence = message.startsWith(`line ${line}, column ${column}: `)
    ? message.slice(`line ${line}, column ${column}: `.length)
    : message;
  throw tagFault(placeAt(part, { line, column }), withImage(sentence));
}

/** Adds the helper that only office files have to a list of helpers. */
function withImage(sentence: string): string {
  return /^unknown helper .*; the helpers are /s.test(sentence) ? `${sentence}, image` : sentence;
}

/** Returns the place of the last tag that begins at a position or before it. */
function placeAt({ places }: PartTemplate, { line, column }: { line: number; column: number }): string {
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const at = places[middle];
    if (at && (at.line < line || (at.line === line && at.column <= column))) low = middle;
    else high = middle - 1;
  }
  return places[low]?.place ?? 'the file';
}
