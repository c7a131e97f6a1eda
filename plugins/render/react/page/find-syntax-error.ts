/**
 * Runs in the browser page, and only for a source that does not parse. sucrase first parses an arrow function
 * as an expression, so it often reports the arrow instead of the error that follows it.
 */
import { parse } from '@babel/parser';
import { ENTRY } from '../outcome.ts';

/**
 * Describes the first syntax error of a source with its line and column, both from 1. Returns an empty string
 * when it finds none.
 */
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
