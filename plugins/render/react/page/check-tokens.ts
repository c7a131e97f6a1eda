import { parse } from 'sucrase/dist/esm/parser/index.js';
import type { Token } from 'sucrase/dist/types/parser/tokenizer/index.js';
import { TokenType as tt } from 'sucrase/dist/esm/parser/tokenizer/types.js';
import { CompileError, ModuleFault } from './faults.ts';
import { explainMissing, MODULES } from './modules.ts';

/** A tag that has not ended. */
interface Tag {
  name: string;
  closing: boolean;
}

/**
 * Checks what sucrase ignores: closing tags must match their elements, and imported modules must exist, even
 * when they are unused. Parses the source a second time, which takes a small part of the compile time.
 * @throws {CompileError}
 * @throws {ModuleFault}
 */
export function checkTokens(source: string): void {
  const { tokens } = parse(source, true, true, false);
  const elements: string[] = [];
  const tags: Tag[] = [];
  for (const [index, { type, end }] of tokens.entries()) {
    // oxlint-disable-next-line eslint/no-underscore-dangle -- sucrase's name
    if (type === tt._import) checkImport(source, tokens, index);
    // oxlint-disable-next-line eslint/no-underscore-dangle -- sucrase's name
    else if (type === tt._export) checkExport(source, tokens, index);
    else if (type === tt.jsxTagStart) {
      const closing = tokens[index + 1]?.type === tt.slash;
      tags.push({ closing, name: readName(source, tokens, index + (closing ? 2 : 1)) });
    } else if (type === tt.colon && tokens[index - 1]?.type === tt.jsxName) {
      // sucrase would copy the name, which is invalid JavaScript.
      throw new ModuleFault(
        `${position(source, end - 1)}: names with a colon are not supported; in React, write xlink:href as xlinkHref`,
      );
    } else if (type === tt.jsxTagEnd) {
      const tag = tags.pop();
      if (!tag?.closing) {
        if (tokens[index - 1]?.type !== tt.slash) elements.push(tag?.name ?? '');
        continue;
      }
      const expected = elements.pop();
      if (expected === tag.name) continue;
      const start = source.lastIndexOf('<', end);
      throw new CompileError(`${position(source, start)}: expected </${expected}>, found </${tag.name}>`);
    }
  }
}

/** Reads `div` or `Chart.Bar`; a fragment has an empty name. */
function readName(source: string, tokens: Token[], first: number): string {
  let name = '';
  for (let index = first; ; index += 1) {
    const token = tokens[index];
    const part = token && [tt.jsxName, tt.dot].includes(token.type);
    // The second of two consecutive names is an attribute.
    if (!part || (token.type === tt.jsxName && /[^.]$/.test(name))) return name;
    name += source.slice(token.start, token.end);
  }
}

function checkImport(source: string, tokens: Token[], index: number): void {
  const text = (offset: number) => textOf(source, tokens[index + offset]);
  // `import.meta` is not an import. Type imports are removed before the source runs.
  if (text(1) === '.' || tokens[index]?.isType) return;
  // A dynamic import resolves after the markup is rendered, so its failure would go unnoticed. A computed
  // name is unknown here.
  if (text(1) === '(') return requireModule(source, tokens[index + 2]);
  if (text(1) === 'type' && text(2) !== ',' && (text(2) !== 'from' || text(3) === 'from')) return;
  if (text(1) === '{' && hasOnlyTypes(source, tokens, index + 2)) return;
  requireModule(source, tokens.slice(index).find(isString));
}

/**
 * Checks `export { a } from 'x'` and `export * from 'x'`. sucrase removes `export type`, and keeps the module
 * of `export { type A }`.
 */
function checkExport(source: string, tokens: Token[], index: number): void {
  const first = textOf(source, tokens[index + 1]);
  if (first !== '{' && first !== '*') return;
  const rest = tokens.slice(index + 2);
  // A name may follow `*`. Braces do not contain braces.
  const last = first === '{' ? rest.findIndex(({ type }) => type === tt.braceR) : rest.findIndex(isFrom) - 1;
  const [from, module] = rest.slice(last + 1);
  if (from && isFrom(from)) requireModule(source, module);

  function isFrom(token: Token): boolean {
    return textOf(source, token) === 'from';
  }
}

/**
 * Returns true when braces contain only `type A` and `type A as B`. A value has an odd number of words (`a`,
 * `a as b`), even when its name is `type`. Empty braces contain no type.
 */
function hasOnlyTypes(source: string, tokens: Token[], first: number): boolean {
  let words = 0;
  for (const token of tokens.slice(first)) {
    const isEnd = token.type === tt.braceR;
    if (!isEnd && token.type !== tt.comma) words += 1;
    // Nothing follows a trailing comma.
    else if (words % 2 === 1 || (isEnd && words === 0 && textOf(source, tokens[first]) !== 'type'))
      return false;
    else if (isEnd) return true;
    else words = 0;
  }
  return false;
}

function requireModule(source: string, module: Token | undefined): void {
  if (!module || !isString(module)) return;
  const name = source.slice(module.start + 1, module.end - 1);
  if (!MODULES.has(name)) throw new ModuleFault(`${position(source, module.start)}: ${explainMissing(name)}`);
}

function isString({ type }: Token): boolean {
  return type === tt.string;
}

function textOf(source: string, token: Token | undefined): string {
  return token ? source.slice(token.start, token.end) : '';
}

function position(source: string, index: number): string {
  const lines = source.slice(0, index).split(/\r\n|[\n\r\u2028\u2029]/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
