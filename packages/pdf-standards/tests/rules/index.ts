import { CID_FONT_SAMPLES } from './cid-fonts.ts';
import { COLOUR_SAMPLES } from './colours.ts';
import { CONTENT_SAMPLES } from './content.ts';
import { FONT_SAMPLES } from './fonts.ts';
import { INTERACTION_SAMPLES } from './interaction.ts';
import { JPEG2000_SAMPLES } from './jpeg2000.ts';
import type { RuleSample } from './rule-sample.ts';
import { SIGNATURE_SAMPLES } from './signatures.ts';
import { SYNTAX_SAMPLES } from './syntax.ts';
import { TRUETYPE_SAMPLES } from './truetype.ts';
import { XMP_SAMPLES } from './xmp.ts';

export type { RuleSample } from './rule-sample.ts';

/** Files that obey or break one rule of PDF/A each, by subject. */
export const RULE_SAMPLES: Readonly<Record<string, readonly RuleSample[]>> = {
  syntax: SYNTAX_SAMPLES,
  XMP: XMP_SAMPLES,
  content: CONTENT_SAMPLES,
  colours: COLOUR_SAMPLES,
  fonts: FONT_SAMPLES,
  'TrueType fonts': TRUETYPE_SAMPLES,
  'CID-keyed fonts': CID_FONT_SAMPLES,
  'JPEG 2000': JPEG2000_SAMPLES,
  interaction: INTERACTION_SAMPLES,
  signatures: SIGNATURE_SAMPLES,
};
