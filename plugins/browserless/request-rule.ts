import { invalid } from '../../src/plugin.ts';
import type { PageOptions, ReadUrlPatterns } from '../render/contract.ts';
import type { PageBody } from './schemas.ts';

const MAX_PATTERNS_CHARACTERS = 2_000;

/** Returns the rule for requests of a page; `undefined` if it may send all. @throws {AppError} */
export async function readRequestRule(
  {
    rejectResourceTypes = [],
    rejectRequestPattern = [],
  }: Pick<PageBody, 'rejectResourceTypes' | 'rejectRequestPattern'>,
  readUrlPatterns: ReadUrlPatterns,
): Promise<PageOptions['mayRequest']> {
  if (rejectResourceTypes.length + rejectRequestPattern.length === 0) return undefined;
  const types = new Set<string>(rejectResourceTypes);
  const isOfType = ({ type }: { type: string }) => types.has(type.toLowerCase());
  if (rejectRequestPattern.length === 0) return (request) => !isOfType(request);
  const characters = rejectRequestPattern.reduce((sum, { length }) => sum + length, 0);
  if (characters > MAX_PATTERNS_CHARACTERS)
    throw invalid('rejectRequestPattern', `must have at most ${MAX_PATTERNS_CHARACTERS} characters together`);
  const read = await readUrlPatterns(rejectRequestPattern);
  if ('fault' in read) {
    const { index, syntax } = read.fault;
    const reason = syntax === undefined ? 'is too complex' : 'must be a regular expression in RE2 syntax';
    throw invalid(`rejectRequestPattern[${index}]`, reason);
  }
  // A request whose URL takes too long to match fails.
  return async (request) => !isOfType(request) && !(await read.match(request.url)).includes(true);
}
