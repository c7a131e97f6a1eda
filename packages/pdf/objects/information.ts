import type { PdfDocument } from './document.ts';
import { Dict, Ref } from './objects.ts';

/** Returns a reference to the document information dictionary. */
export function informationOf({ trailer }: PdfDocument): Ref | undefined {
  const info = trailer.raw('Info');
  if (info instanceof Ref) return info;
  return info instanceof Dict ? Ref.to(info) : undefined;
}
