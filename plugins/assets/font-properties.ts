import { invalid } from '../../src/plugin.ts';
import type { AssetFont } from './contract.ts';

/** The properties of a font that an upload can set. */
export interface FontProperties {
  family?: string | undefined;
  weight?: string | number | undefined;
  style?: AssetFont['style'] | undefined;
}

const MAX_FAMILY_CHARACTERS = 100;

/**
 * Replaces the properties of a font with those that the upload sets. `font` is `null` for other assets.
 * @throws {AppError} VALIDATION_ERROR
 */
export function applyFontProperties(
  font: AssetFont | null,
  { family, weight, style }: FontProperties,
): AssetFont | null {
  if (!font) {
    const given = Object.entries({ family, weight, style }).find(([, value]) => value !== undefined);
    if (given) throw invalid(given[0], 'is only for fonts');
    return null;
  }
  return {
    family: family === undefined ? font.family : requireFamily(family),
    weight: weight === undefined ? font.weight : requireWeight(String(weight)),
    style: style ?? font.style,
  };
}

function requireFamily(family: string): string {
  const name = family.trim();
  if (name === '' || name.length > MAX_FAMILY_CHARACTERS)
    throw invalid('family', `must have 1 to ${MAX_FAMILY_CHARACTERS} characters`);
  if (!name.isWellFormed() || /\p{Cc}/u.test(name))
    throw invalid('family', 'must be well-formed Unicode without control characters');
  return name;
}

function requireWeight(weight: string): string {
  const numbers = /^\d{1,4}(?: \d{1,4})?$/.test(weight) ? weight.split(' ').map(Number) : [];
  const [lowest = 0, highest = lowest] = numbers;
  if (lowest < 1 || highest > 1000 || lowest > highest)
    throw invalid('weight', 'must be a number from 1 to 1000, or two for a variable font: "100 900"');
  return numbers.join(' ');
}
