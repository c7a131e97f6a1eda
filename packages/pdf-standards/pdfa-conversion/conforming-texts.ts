import type { TextPreparation } from '@platen/pdf';
import { asDict, claimedPdfa, Dict, name, Ref, type PdfDocument } from '@platen/pdf/objects';
import { buildOutputIntents } from './colour/output-intent.ts';
import { embedFonts } from '../fonts/embed-fonts.ts';
import { levelOf, levelRules, type PdfaLevel } from '../levels.ts';
import { BreachError } from '../violation.ts';

/**
 * Prepares the texts that `numberPages` draws for a document that claims PDF/A: embeds their fonts where
 * possible, and defines their colours. Does not check the claim. Returns `undefined` for a document without
 * the claim.
 */
export function conformingTexts(document: PdfDocument): TextPreparation | undefined {
  const claim = claimedPdfa(document);
  if (claim === null) return undefined;
  const level = levelOf(claim.slice(0, 1), claim.slice(1)) ?? '1b';
  return (texts) => {
    embedWherePossible(texts, level);
    return Dict.of({ DefaultRGB: defaultRgb() });
  };
}

function embedWherePossible(source: PdfDocument, level: PdfaLevel): void {
  try {
    embedFonts(source, levelRules(level));
  } catch (error) {
    // The fonts stay as they are, so the result does not conform.
    if (!(error instanceof BreachError)) throw error;
  }
}

/**
 * Returns the colour space for `DeviceRGB`, so that it does not depend on the output intent of the document.
 */
function defaultRgb(): Ref {
  const [intent] = buildOutputIntents();
  return Ref.to([name('ICCBased'), asDict(intent)?.raw('DestOutputProfile') ?? null]);
}
