import {
  Dict,
  PdfStream,
  PdfString,
  reach,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { textOf } from './check-structure.ts';
import type { UaFindings } from './findings.ts';

/**
 * Checks the objects that can be in many places: embedded files (7.11), media clips (7.18.6.2) and form
 * XObjects (7.20).
 */
export function checkObjects({ trailer }: PdfDocument, findings: UaFindings): void {
  const visit = (object: PdfObject): void => {
    if (Array.isArray(object)) for (const item of object) visit(item);
    else if (object instanceof PdfStream) {
      if (object.dict.name('Subtype') === 'Form')
        findings.expect(!object.dict.map.has('Ref'), '7.20', 'a form XObject refers to another file');
      visit(object.dict);
    } else if (object instanceof Dict) {
      if (object.dict('EF')) checkFile(object, findings);
      const isClip = object.name('Type') === 'MediaClip' || object.map.has('D');
      if (isClip && object.name('S') === 'MCD') checkClip(object, findings);
      for (const value of object.map.values()) visit(value);
    }
  };
  for (const { value } of reach(trailer.raw('Root') ?? null)) visit(value);
}

function checkFile(file: Dict, findings: UaFindings): void {
  const hasNames = ['F', 'UF'].every((key) => textOf(file.string(key)) !== undefined);
  findings.expect(hasNames, '7.11', 'an embedded file has no name');
}

/** Checks that a media clip has a type, and texts in pairs of a language and a description. */
function checkClip(clip: Dict, findings: UaFindings): void {
  findings.expect(clip.string('CT') !== undefined, '7.18.6.2', 'a media clip has no content type');
  const texts = (clip.array('Alt') ?? []).map((text) => resolve(text));
  const isRight =
    texts.length > 0 &&
    texts.length % 2 === 0 &&
    texts.every(
      (text, index) => text instanceof PdfString && (index % 2 === 0 || textOf(text) !== undefined),
    );
  findings.expect(isRight, '7.18.6.2', 'a media clip has no description');
}
