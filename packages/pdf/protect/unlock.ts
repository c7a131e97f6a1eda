import { separatePages } from './separate-pages.ts';
import {
  eachField,
  informationOf,
  metadataWithoutClaims,
  Ref,
  writePdf,
  type PdfDocument,
} from '../objects/index.ts';

/**
 * Writes an encrypted document without encryption. Signatures cover the encrypted bytes, so their values are removed; their
 * appearance is kept. Claims of PDF/A and PDF/UA are removed. Returns the bytes of a document that is not encrypted unchanged.
 * The document must not be used afterwards.
 */
export function unlockDocument(document: PdfDocument): Uint8Array {
  if (!document.encrypted) return document.file;
  const catalog = document.catalog.copy().delete('Perms');
  separatePages(document, catalog);
  const form = catalog.dict('AcroForm');
  if (form) {
    eachField(form.array('Fields') ?? [], (field, type) => {
      if (type === 'Sig') field.delete('V', 'Lock');
    });
    catalog.set('AcroForm', form.copy().delete('SigFlags'));
  }
  if (catalog.map.has('Metadata')) catalog.set('Metadata', metadataWithoutClaims(document));
  return writePdf({
    root: Ref.to(catalog),
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
  });
}
