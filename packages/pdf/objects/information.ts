import type { PdfDocument } from './document.ts';
import { Dict, Ref } from './objects.ts';

/** The information dictionary of a document, as an object that can be referred to. */
export function informationOf({ trailer }: PdfDocument): Ref | undefined {
  const info = trailer.raw('Info');
  if (info instanceof Ref) return info;
  return info instanceof Dict ? Ref.to(info) : undefined;
}
