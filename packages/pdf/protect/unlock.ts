import { removeSignatures } from '../forms/flatten/remove-signatures.ts';
import { informationOf, metadataWithoutClaims, Ref, writePdf, type PdfDocument } from '../objects/index.ts';
import { separatePages } from './separate-pages.ts';

/**
 * Writes an encrypted document without encryption. Signatures cover the encrypted bytes, so they become
 * stamps. Claims of PDF/A and PDF/UA are removed. If the document is not encrypted, returns its bytes
 * unchanged. The document must not be used afterwards.
 */
export function unlockDocument(document: PdfDocument): Uint8Array {
  if (!document.encrypted) return document.file;
  removeSignatures(document);
  const catalog = document.catalog.copy();
  separatePages(document, catalog);
  if (catalog.map.has('Metadata')) catalog.set('Metadata', metadataWithoutClaims(document));
  return writePdf({
    root: Ref.to(catalog),
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
  });
}
