import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { check } from 'recheck';

/**
 * The result of a proof: the time is bounded by a constant per start, or linear in the length of the text, or
 * unproven.
 */
export type Proof = { time: 'bounded' | 'linear' } | { time: 'unproven'; reason: string };

/**
 * A repetition up to this count is a constant factor. A larger one counts as unbounded, because its factor
 * matters for megabytes.
 */
const MAX_CONSTANT_FACTOR = 10;

const TIMEOUT_MS = 60_000;

const parser = new RegExpParser();

/**
 * Proves that all searches for a pattern in a text together take time linear in its length, whether it is
 * searched once or repeatedly, as by `replaceAll`, `matchAll` and `split`.
 *
 * The proof is that of recheck's automaton checker, which finds exactly the super-linear patterns (Weideman
 * et al., "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers by Using Ambiguity of
 * NFA", CIAA 2016). It checks `^(?:pattern|[^])*`, which matches what the repeated search finds and skips the
 * rest. So failed attempts at each start count, and so does text that a search reads beyond its match.
 *
 * Constructs that the checker does not support are replaced by others that take at least as long, see
 * {@link reduce}.
 */
export async function proveLinear({ source, flags }: { source: string; flags: string }): Promise<Proof> {
  let reduced: Reduced;
  try {
    reduced = reduce(source, flags);
  } catch (error) {
    return { time: 'unproven', reason: `it cannot be read: ${String(error)}` };
  }
  if (!reduced.isUnbounded) return { time: 'bounded' };
  // These flags only affect where a search starts and what it returns.
  const known = flags.replaceAll(/[dgy]/g, '');
  const params = { checker: 'automaton', timeout: TIMEOUT_MS } as const;
  const result = await check(`^(?:${reduced.source}|[^])*`, known, params);
  if (result.status === 'safe') return { time: 'linear' };
  if (result.status === 'vulnerable') {
    const { complexity, attack } = result;
    return { time: 'unproven', reason: `it is ${complexity.summary} in ${attack.pattern}` };
  }
  const { error } = result;
  const detail = 'message' in error ? `: ${error.message}` : '';
  return { time: 'unproven', reason: `recheck cannot decide (${error.kind}${detail})` };
}

interface Reduced {
  source: string;
  /** True if a match may have any length. */
  isUnbounded: boolean;
  /** Maximum number of characters in one repetition of a bounded part, which measures nested repetitions. */
  factor: number;
  looksAround: boolean;
}

/**
 * Rewrites a pattern into one that the checker supports and that takes at least as long.
 *
 * - Repetitions of more than {@link MAX_CONSTANT_FACTOR} times become unbounded.
 * - A look-ahead becomes a branch that is explored and never matches, next to an empty one. Because its
 * result is lost, the whole
 *   pattern never matches, so that all its paths count.
 * - A look-behind of bounded length takes constant time and becomes empty, with the same consequence.
 */
function reduce(source: string, flags: string): Reduced {
  const isUnicode = flags.includes('u');
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: isUnicode,
    unicodeSets: flags.includes('v'),
  });
  const reduced = reduceAll(pattern.alternatives);
  return reduced.looksAround ? { ...reduced, source: `(?:${reduced.source})[]` } : reduced;
}

const join = (parts: readonly Reduced[], separator: string): Reduced => ({
  source: parts.map((part) => part.source).join(separator),
  isUnbounded: parts.some((part) => part.isUnbounded),
  factor: Math.max(1, ...parts.map((part) => part.factor)),
  looksAround: parts.some((part) => part.looksAround),
});

const asIs = (node: AST.Node): Reduced => ({
  source: node.raw,
  isUnbounded: false,
  factor: 1,
  looksAround: false,
});

function reduceAll(alternatives: readonly AST.Alternative[]): Reduced {
  return join(
    alternatives.map(({ elements }) => join(elements.map(reduceElement), '')),
    '|',
  );
}

function reduceElement(node: AST.Element): Reduced {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup': {
      const inner = reduceAll(node.alternatives);
      const opening = node.raw.slice(0, (node.alternatives[0]?.start ?? node.end) - node.start);
      return { ...inner, source: `${opening}${inner.source})` };
    }
    case 'Quantifier':
      return reduceQuantifier(node);
    case 'Assertion':
      return node.kind === 'lookahead' || node.kind === 'lookbehind' ? reduceLookaround(node) : asIs(node);
    case 'Backreference':
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass':
      return asIs(node);
  }
}

function reduceQuantifier({ element, min, max, greedy, raw }: AST.Quantifier): Reduced {
  const inner = reduceElement(element);
  const factor = inner.factor * max;
  const isConstant = factor <= MAX_CONSTANT_FACTOR;
  const relaxed = min === 0 ? '*' : '+';
  const relaxedQuantifier =
    Number.isFinite(max) && !isConstant ? `${relaxed}${greedy ? '' : '?'}` : undefined;
  return {
    ...inner,
    source: inner.source + (relaxedQuantifier ?? raw.slice(element.raw.length)),
    isUnbounded: inner.isUnbounded || !isConstant,
    factor: isConstant ? Math.max(1, factor) : 1,
  };
}

function reduceLookaround(node: AST.LookaroundAssertion): Reduced {
  const inner = reduceAll(node.alternatives);
  if (node.kind === 'lookahead') return { ...inner, source: `(?:${inner.source}[]|)`, looksAround: true };
  // The checker then reports it as unsupported.
  if (inner.isUnbounded) return { ...inner, source: node.raw };
  return { ...inner, source: '(?:)', looksAround: true };
}
