import { RE2JS } from 're2js';
import { invalid, patternSize } from '../../src/plugin.ts';
import type { PageOptions } from '../render/contract.ts';
import type { PageBody } from './schemas.ts';

/** Compiling patterns takes a few milliseconds per kilobyte. */
const MAX_PATTERNS_CHARACTERS = 2_000;
/** The instructions of a pattern. The time to match is their number times the length of the URL. */
const MAX_PATTERN_SIZE = 500;
const MAX_URL_CHARACTERS = 2_048;
/** How long the patterns of one request may be matched. Afterwards all requests fail. */
const MATCHING_MS = 250;

/** Returns the rule for requests of a page; `undefined` if it may send all. @throws {AppError} */
export function readRequestRule({
  rejectResourceTypes = [],
  rejectRequestPattern = [],
}: Pick<PageBody, 'rejectResourceTypes' | 'rejectRequestPattern'>): PageOptions['mayRequest'] {
  if (rejectResourceTypes.length + rejectRequestPattern.length === 0) return undefined;
  const types = new Set<string>(rejectResourceTypes);
  const characters = rejectRequestPattern.reduce((sum, { length }) => sum + length, 0);
  if (characters > MAX_PATTERNS_CHARACTERS)
    throw invalid('rejectRequestPattern', `must have at most ${MAX_PATTERNS_CHARACTERS} characters together`);
  const patterns = rejectRequestPattern.map(compile);
  let leftMs = MATCHING_MS;
  return ({ url, type }) => {
    if (types.has(type.toLowerCase())) return false;
    if (patterns.length === 0) return true;
    if (leftMs <= 0) return false;
    const startedAt = performance.now();
    const start = url.slice(0, MAX_URL_CHARACTERS);
    const isRefused = patterns.some((pattern) => pattern.matcher(start).find());
    leftMs -= performance.now() - startedAt;
    return !isRefused;
  };
}

/** Compiles a pattern with an engine whose time is linear. Its slashes, as in JavaScript, are optional. */
function compile(given: string, index: number): RE2JS {
  const path = `rejectRequestPattern[${index}]`;
  if (patternSize(given) > MAX_PATTERN_SIZE) throw invalid(path, 'is too complex');
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(given);
  } catch {
    throw invalid(path, 'must be a regular expression in RE2 syntax');
  }
  if (pattern.programSize() > MAX_PATTERN_SIZE) throw invalid(path, 'is too complex');
  return pattern;
}
