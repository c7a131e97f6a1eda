import { PDFA_LEVELS as LEVELS, type PdfaLevel } from './api-types.ts';

const LABELS: Readonly<Record<PdfaLevel, string>> = {
  '1b': 'the oldest and strictest',
  '2b': 'keeps transparency',
  '2u': 'keeps transparency, and all text has Unicode values',
  '3b': 'keeps transparency and attachments',
  '3u': 'keeps transparency and attachments, and all text has Unicode values',
};

/** The levels of PDF/A, each with its label. */
export const PDFA_LEVELS = LEVELS.map((level) => [level, `PDF/A-${level}: ${LABELS[level]}`] as const);
