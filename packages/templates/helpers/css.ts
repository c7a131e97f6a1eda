import { tooLong } from '../fault.ts';
import { toText } from './arguments.ts';
import type { HelperCall } from './definition.ts';

/**
 * Writes text as a quoted string of CSS (CSS Syntax 4.3.7): all but letters, digits and spaces as `\hex `, so that nothing ends the
 * string, and no `<` ends the style element around it. @throws {HelperFault}
 */
export function cssString([value]: readonly unknown[], { room }: HelperCall): string {
  const text = toText(value);
  if (text.length > room) throw tooLong();
  const escaped = text.replace(
    /[^\p{L}\p{M}\p{Nd} ]/gu,
    (character) => `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped}"`;
}
