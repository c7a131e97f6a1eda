import { decodeStream, PdfStream, resolve, type PdfDocument } from '@platen/pdf/objects';
import type { UaFindings } from './findings.ts';

const STATIC = /^dynamicRender\s{0,100}>\s{0,100}forbidden\s{0,100}</;

/**
 * Checks that no XFA form changes its layout (7.15). Regards every form as dynamic that does not plainly say
 * otherwise where it mentions rendering.
 */
export function checkXfa({ catalog, budget }: PdfDocument, findings: UaFindings): void {
  const message = 'the document has a dynamic XFA form';
  const xfa = catalog.dict('AcroForm')?.get('XFA') ?? null;
  if (xfa === null) return;
  findings.expect(catalog.get('NeedsRendering') !== true, '7.15', message);
  const packets = (Array.isArray(xfa) ? xfa : [xfa]).map((part) => resolve(part));
  const parts = packets.flatMap((packet) => {
    if (!(packet instanceof PdfStream)) return [];
    const decoded = decodeStream(packet, budget);
    if (!decoded) findings.add('7.15', 'an XFA form cannot be decoded');
    return [Buffer.from(decoded ?? [])];
  });
  // UTF-16 has a zero byte beside each of these characters.
  const text = Buffer.concat(parts).toString('latin1').replaceAll('\0', '');
  for (let at = text.indexOf('dynamicRender'); at >= 0; at = text.indexOf('dynamicRender', at + 1)) {
    const isEnd = /<\/(?:[\w.-]{1,100}:)?$/.test(text.slice(Math.max(0, at - 110), at));
    findings.expect(isEnd || STATIC.test(text.slice(at, at + 400)), '7.15', message);
  }
}
