import { levelRules, PDFA_LEVELS, type PdfaLevel } from '@platen/pdf-standards/levels';
import { Type } from '../../src/plugin.ts';

export type { PdfaLevel };

/** The schema of a level of PDF/A. */
export const PdfaLevelName = Type.Union(
  PDFA_LEVELS.map((level) => Type.Literal(level)),
  {
    title: 'PdfaLevel',
    expected: `one of ${PDFA_LEVELS.map((level) => `"${level}"`).join(', ')}`,
    description:
      'The part of ISO 19005 and its conformance level. "1b" is the default. 2 and 3 keep transparency, layers and JPEG 2000; 3 keeps attachments; u guarantees Unicode text.',
  },
);

export const PdfaOption = Type.Union([Type.Boolean(), ...PDFA_LEVELS.map((level) => Type.Literal(level))], {
  expected: `true, false, or one of ${PDFA_LEVELS.map((level) => `"${level}"`).join(', ')}`,
  description:
    'Convert the PDF to this level of PDF/A and validate the result. `true` means "1b". Only "3b" and "3u" allow attachments. The default is false.',
});

/**
 * Returns why a level of PDF/A does not allow attachments, with an alternative value of `field`; `undefined`
 * if it does.
 */
export function whyNoAttachments(level: PdfaLevel, field: string): string | undefined {
  const { title, attachments, conformance } = levelRules(level);
  if (attachments === 'any') return undefined;
  const reason =
    attachments === 'none' ? 'does not allow attachments' : 'allows only PDF/A files as attachments';
  return `${title} ${reason}; set ${field} to "3${conformance.toLowerCase()}" to attach any file`;
}
