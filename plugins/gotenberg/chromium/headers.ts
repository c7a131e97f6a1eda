import { messageOf } from '../../../src/plugin.ts';
import { headerFault, isHeaderValue } from '../../documents/exports.ts';
import type { MatchUrl, PageHeader, RenderService } from '../../render/contract.ts';
import { invalidField } from '../form/fields.ts';
import { parseGoJson } from '../form/go-json.ts';
import { readStringMap } from './json-values.ts';

/** Gotenberg's limit. */
const MAX_HEADERS = 64;
/** Gotenberg's limit of one scope. */
const MAX_SCOPE_CHARACTERS = 1_024;

const MAX_SCOPES_CHARACTERS = 4_096;

/** A header, and the regular expression for the URLs to which it is sent; empty for all. */
export interface ScopedHeader {
  name: string;
  value: string;
  scope: string;
}

/** Reads headers with their scopes. @throws {Error} with Gotenberg's message */
export function readHeaders(given: string): ScopedHeader[] {
  const entries = Object.entries(readMap(given));
  if (entries.length > MAX_HEADERS)
    throw new Error(`too many headers, got ${entries.length}, expected at most ${MAX_HEADERS}`);
  const budget = { scopeCharacters: MAX_SCOPES_CHARACTERS };
  const faults: string[] = [];
  const headers = entries.flatMap(([name, text]) => {
    try {
      return [readHeader(name, text, budget)];
    } catch (error) {
      faults.push(messageOf(error));
      return [];
    }
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return headers;
}

/** Reads the value of the header User-Agent. @throws {Error} for another text */
export function readUserAgent(given: string): string {
  if (!isHeaderValue(given, 'latin1')) throw new Error("invalid value of header 'User-Agent'");
  return given;
}

/** What the scopes of one form may still use. */
interface Budget {
  scopeCharacters: number;
}

function readMap(given: string): Record<string, string> {
  try {
    return readStringMap(parseGoJson(given));
  } catch (error) {
    throw new Error(`unmarshal extraHttpHeaders: ${messageOf(error)}`, { cause: error });
  }
}

function readHeader(name: string, text: string, budget: Budget): ScopedHeader {
  const tokens = text.split(';');
  let scope = '';
  for (const token of tokens.filter(isScope)) {
    const [key, pattern] = splitOnce(token.replaceAll(/\s/g, ''));
    if (key.toLowerCase() !== 'scope' || pattern === '')
      throw new Error(`invalid scope '${scope}' for header '${name}'`);
    scope = pattern;
  }
  const value = tokens.filter((token) => token !== '' && !isScope(token)).join('; ');
  const fault = headerFault({ name, value }, 'latin1');
  if (fault === 'connection') throw new Error(`header '${name}' is not allowed`);
  if (fault) throw new Error(`invalid ${fault} of header '${name}'`);
  requireShort(name, scope, budget);
  return { name, value, scope };
}

function isScope(token: string): boolean {
  return token.trim().toLowerCase().startsWith('scope');
}

function splitOnce(token: string): [string, string] {
  const at = token.indexOf('=');
  return at < 0 ? [token, ''] : [token.slice(0, at), token.slice(at + 1)];
}

function requireShort(name: string, scope: string, budget: Budget): void {
  if (scope.length > MAX_SCOPE_CHARACTERS)
    throw new Error(
      `${subjectOf(name)} is too long, got ${scope.length} characters, expected at most ${MAX_SCOPE_CHARACTERS}`,
    );
  budget.scopeCharacters -= scope.length;
  if (budget.scopeCharacters < 0)
    throw new Error(
      `${subjectOf(name)} is too long, expected at most ${MAX_SCOPES_CHARACTERS} characters in all scopes together`,
    );
}

function subjectOf(name: string): string {
  return `scope regex pattern for header '${name}'`;
}

/**
 * Returns the headers of a page. A header whose scope takes too long to match is not sent.
 * @param given the text of the field, for errors
 * @throws {AppError} VALIDATION_ERROR with Gotenberg's text for a scope that is no regular expression
 */
export async function toPageHeaders(
  headers: readonly ScopedHeader[],
  { render, given }: { render: Pick<RenderService, 'readUrlPatterns'>; given: string },
): Promise<PageHeader[]> {
  const scoped = headers.filter(({ scope }) => scope !== '');
  const others = headers.filter(({ scope }) => scope === '').map(({ name, value }) => ({ name, value }));
  if (scoped.length === 0) return others;
  const read = await render.readUrlPatterns(scoped.map(({ scope }) => scope));
  if ('fault' in read) throw invalidField('extraHttpHeaders', given, describeFault(read.fault, scoped));
  return [
    ...others,
    ...scoped.map(({ name, value }, index) => ({ name, value, appliesTo: appliesTo(read.match, index) })),
  ];
}

function appliesTo(match: MatchUrl, index: number): PageHeader['appliesTo'] {
  return async (url) => (await match(url).catch(() => []))[index] ?? false;
}

function describeFault(
  { index, syntax }: { index: number; syntax?: string },
  headers: readonly ScopedHeader[],
): string {
  const { name = '', scope = '' } = headers[index] ?? {};
  if (syntax === undefined) return `${subjectOf(name)} is too complex`;
  return `invalid ${subjectOf(name)}: ${syntax} in \`${scope}\``;
}
