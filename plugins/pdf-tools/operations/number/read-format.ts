import type { NumberPart } from '@platen/pdf';
import { invalid } from '../../../../src/plugin.ts';

/** The format of page numbers or Bates numbers. */
export interface NumberFormat {
  /** The parts from left to right. A number is an index in `literals`. */
  parts: NumberPart[];
  literals: string[];
  direction: 'ltr' | 'rtl';
}

const PLACEHOLDERS = ['pageNumber', 'totalPages', 'bates'] as const;
/** The maximum number of placeholders in a format. */
const MAX_PLACEHOLDERS = 20;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * Reads a format, and inserts the prefix of Bates numbers. If the first letter belongs to a right-to-left
 * writing system, the parts run from right to left.
 * @throws {AppError} VALIDATION_ERROR naming the field.
 */
export function readFormat(format: string | undefined, bates: { prefix?: string } | undefined): NumberFormat {
  const text = format ?? (bates ? '{{bates}}' : '{{pageNumber}} / {{totalPages}}');
  const prefix = bates?.prefix ?? '';
  requirePlainText(text, 'format');
  requirePlainText(prefix, 'bates.prefix');
  const pieces = text.split(/(\{\{[^{}]*\}\})/).filter((piece) => piece !== '');
  const names = pieces.filter((piece) => piece.startsWith('{{') && piece.endsWith('}}'));
  for (const piece of names)
    if (!nameOf(piece))
      throw invalid(
        'format',
        `has the unknown placeholder ${piece}: use ${PLACEHOLDERS.map(placeholder).join(', ')}`,
      );
  if (names.length === 0)
    throw invalid('format', `must contain ${PLACEHOLDERS.map(placeholder).join(' or ')}`);
  if (names.length > MAX_PLACEHOLDERS)
    throw invalid('format', `must contain at most ${MAX_PLACEHOLDERS} placeholders`);
  const hasBates = names.some((piece) => nameOf(piece) === 'bates');
  if (hasBates && !bates) throw invalid('bates', 'is required by {{bates}} in format');
  if (!hasBates && bates) throw invalid('format', 'must contain {{bates}}, which bates defines');
  const parts: NumberPart[] = [];
  const literals: string[] = [];
  let literal = '';
  const endLiteral = () => {
    if (literal !== '') parts.push(literals.push(literal) - 1);
    literal = '';
  };
  for (const piece of pieces) {
    const part = nameOf(piece);
    if (part === 'bates') literal += prefix;
    else if (!part) literal += piece;
    if (!part) continue;
    endLiteral();
    parts.push(part);
  }
  endLiteral();
  const [firstLetter = ''] = /\p{L}/u.exec(literals.join('')) ?? [];
  return RIGHT_TO_LEFT.test(firstLetter)
    ? { parts: parts.toReversed(), literals, direction: 'rtl' }
    : { parts, literals, direction: 'ltr' };
}

function nameOf(piece: string): (typeof PLACEHOLDERS)[number] | undefined {
  return PLACEHOLDERS.find((known) => placeholder(known) === piece);
}

function placeholder(part: string): string {
  return `{{${part}}}`;
}

function requirePlainText(text: string, field: string): void {
  if (/\p{Cc}/u.test(text)) throw invalid(field, 'must not contain control characters');
}
