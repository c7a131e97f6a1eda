import { RE2JS } from 're2js';
import { messageOf, patternSize } from '../../../src/plugin.ts';
import type { PageHeader } from '../../render/contract.ts';
import { parseGoJson } from '../form/go-json.ts';
import { readStringMap } from './json-values.ts';

/** Gotenberg's limit. */
const MAX_HEADERS = 64;
/** Gotenberg's limit of one scope. */
const MAX_SCOPE_CHARACTERS = 1_024;

/** Compiling scopes takes a few milliseconds per kilobyte at most. */
const MAX_SCOPES_CHARACTERS = 4_096;
/** The instructions of a compiled scope. The time to match is their number times the length of the URL. */
const MAX_SCOPE_SIZE = 1_000;
const MAX_URL_CHARACTERS = 2_048;
/** How long the scopes of one form may be matched. */
const MATCHING_MS = 250;

/** A token (RFC 9110 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8000}$/;

/** Headers of the connection, which the browser sets. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads headers with their scopes. @throws {Error} with Gotenberg's message */
export function readHeaders(given: string): PageHeader[] {
  const entries = Object.entries(readMap(given));
  if (entries.length > MAX_HEADERS)
    throw new Error(`too many headers, got ${entries.length}, expected at most ${MAX_HEADERS}`);
  const budget = { scopeCharacters: MAX_SCOPES_CHARACTERS, matchingMs: MATCHING_MS };
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

/** What the scopes of one form may still use. */
interface Budget {
  scopeCharacters: number;
  matchingMs: number;
}

function readMap(given: string): Record<string, string> {
  try {
    return readStringMap(parseGoJson(given));
  } catch (error) {
    throw new Error(`unmarshal extraHttpHeaders: ${messageOf(error)}`, { cause: error });
  }
}

function readHeader(name: string, text: string, budget: Budget): PageHeader {
  const tokens = text.split(';');
  let scope = '';
  for (const token of tokens.filter(isScope)) {
    const [key, pattern] = splitOnce(token.replaceAll(/\s/g, ''));
    if (key.toLowerCase() !== 'scope' || pattern === '')
      throw new Error(`invalid scope '${scope}' for header '${name}'`);
    scope = pattern;
  }
  const value = tokens.filter((token) => token !== '' && !isScope(token)).join('; ');
  if (!NAME.test(name)) throw new Error(`invalid name of header '${name}'`);
  if (CONNECTION_HEADERS.has(name.toLowerCase()) || name.toLowerCase().startsWith('proxy-'))
    throw new Error(`header '${name}' is not allowed`);
  if (!VALUE.test(value)) throw new Error(`invalid value of header '${name}'`);
  return { name, value, appliesTo: scope === '' ? undefined : compileScope(name, scope, budget) };
}

function isScope(token: string): boolean {
  return token.trim().toLowerCase().startsWith('scope');
}

function splitOnce(token: string): [string, string] {
  const at = token.indexOf('=');
  return at < 0 ? [token, ''] : [token.slice(0, at), token.slice(at + 1)];
}

/** Compiles a scope with an engine whose time is linear in the length of the URL. */
function compileScope(name: string, scope: string, budget: Budget): (url: string) => boolean {
  const subject = `scope regex pattern for header '${name}'`;
  if (scope.length > MAX_SCOPE_CHARACTERS)
    throw new Error(
      `${subject} is too long, got ${scope.length} characters, expected at most ${MAX_SCOPE_CHARACTERS}`,
    );
  budget.scopeCharacters -= scope.length;
  if (budget.scopeCharacters < 0)
    throw new Error(
      `${subject} is too long, expected at most ${MAX_SCOPES_CHARACTERS} characters in all scopes together`,
    );
  if (patternSize(scope) > MAX_SCOPE_SIZE) throw new Error(`${subject} is too complex`);
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(scope);
  } catch (error) {
    const reason = messageOf(error).replace(/: `.*$/s, '');
    throw new Error(`invalid ${subject}: ${reason} in \`${scope}\``, { cause: error });
  }
  if (pattern.programSize() > MAX_SCOPE_SIZE) throw new Error(`${subject} is too complex`);
  return (url) => {
    if (budget.matchingMs <= 0) return false;
    const startedAt = performance.now();
    const matches = pattern.matcher(url.slice(0, MAX_URL_CHARACTERS)).find();
    budget.matchingMs -= performance.now() - startedAt;
    return matches;
  };
}
