import { levelRules, type PdfaLevel, type Rule } from '../levels.ts';

/** The rules that part 1 does not have. */
const SINCE_PART_2: ReadonlySet<Rule> = new Set(['missingGlyphs', 'names', 'signatures']);

/** Tells whether {@link checkPdfa} checks a rule for a level. */
function applies(rule: Rule, level: PdfaLevel): boolean {
  const { part, unicode } = levelRules(level);
  if (rule === 'unicode') return unicode;
  if (rule === 'information') return part === 1;
  return !SINCE_PART_2.has(rule) || part > 1;
}

/**
 * Returns the clauses of ISO 19005 that {@link checkPdfa} checks for a level, in the order of the standard.
 */
export function checkedClauses(level: PdfaLevel): string[] {
  const { clauses } = levelRules(level);
  const rules = Object.keys(clauses) as Rule[];
  const checked = new Set(rules.filter((rule) => applies(rule, level)).map((rule) => clauses[rule]));
  return [...checked].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
