/**
 * Runs inside the page, and only for a source that does not parse: sucrase is quick because it reads each arrow function as an
 * expression first, and so often names the arrow instead of the mistake behind it.
 */
import { parse } from '@babel/parser';
import { ENTRY } from '../outcome.ts';

/** Names the first syntax error of a source with its line and column, both from 1; empty when this parser finds none. */
function findSyntaxError(source: string): string {
  try {
    parse(source, { sourceType: 'module', plugins: ['typescript', 'jsx', 'decorators'] });
    return '';
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number; column: number } };
    const text = message.replace(/ \(\d+:\d+\)$/, '');
    return loc ? `line ${loc.line}, column ${loc.column + 1}: ${text}` : text;
  }
}

Object.assign(globalThis, { [ENTRY.findSyntaxError]: findSyntaxError });
