import { AR } from './ar.ts';
import { DE } from './de.ts';
import { EN, type Labels } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { HE } from './he.ts';
import { JA } from './ja.ts';

/** The built-in labels by language. */
export const LABELS_BY_LANGUAGE: ReadonlyMap<string, Labels> = new Map([
  ['en', EN],
  ['de', DE],
  ['fr', FR],
  ['es', ES],
  ['ar', AR],
  ['he', HE],
  ['ja', JA],
]);

/**
 * Returns a built-in label, in English if its language has no labels. Returns undefined if the name is
 * unknown.
 */
export function builtInLabel(name: string, language: string): string | undefined {
  const labels = LABELS_BY_LANGUAGE.get(language) ?? EN;
  return isLabelName(name) ? labels[name] : undefined;
}

function isLabelName(name: string): name is keyof Labels {
  return Object.hasOwn(EN, name);
}
