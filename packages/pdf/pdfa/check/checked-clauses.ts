import { levelRules, type PdfaLevel, type Rule } from '../levels.ts';

/** Rules that the check does not cover, or that do not apply to a level. */
function isChecked(rule: Rule, level: PdfaLevel): boolean {
  const { part, unicode } = levelRules(level);
  if (rule === 'names') return false;
  if (rule === 'unicode') return unicode;
  return rule !== 'missingGlyphs' || part > 1;
}

/** Returns the clauses of ISO 19005 that {@link checkPdfa} checks for a level, in the order of the standard. */
export function checkedClauses(level: PdfaLevel): string[] {
  const { clauses } = levelRules(level);
  const rules = Object.keys(clauses) as Rule[];
  const checked = new Set(rules.filter((rule) => isChecked(rule, level)).map((rule) => clauses[rule]));
  return [...checked].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
