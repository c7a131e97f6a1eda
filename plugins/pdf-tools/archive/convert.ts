import { PdfDocument, Ref, writePdf, type Dict } from '../../../src/pdf/pdf.ts';
import { buildOutputIntents } from './colour/output-intent.ts';
import { settleColours } from './colour/settle-colours.ts';
import { cleanContent } from './content/clean-content.ts';
import { readContentGraph } from './content/graph.ts';
import { fitObjects } from './limits/fit-objects.ts';
import { fitStreams } from './limits/streams.ts';
import { buildInfo, readDocumentInfo, type RequestedMetadata } from './metadata/document-info.ts';
import { buildXmp } from './metadata/xmp.ts';
import { cleanAnnotations } from './removal/annotations.ts';
import { cleanCatalog } from './removal/catalog.ts';
import { cleanDrawnObjects, hideObjects } from './removal/drawn-objects.ts';
import { cleanForm, isSigned } from './removal/forms.ts';
import { Layers } from './removal/layers.ts';
import { settlePages } from './source.ts';
import { NotArchivable, type Violation } from './violation.ts';

/** What a conversion is asked for. */
export interface ArchiveRequest extends RequestedMetadata {
  /** Convert a signed document as well; its signatures become pictures. */
  allowSignatureLoss?: boolean | undefined;
}

/** Thrown for a signed document, when nobody said that its signatures may go. */
export class SignatureLoss extends Error {
  override name = 'SignatureLoss';
}

/**
 * Converts a PDF to PDF/A-1b (ISO 19005-1). What comes back has been checked; a document that is PDF/A-1b already, and for which no
 * other metadata are wanted, comes back as it is.
 * @throws {NotArchivable} with the clauses, when it cannot be made to conform.
 * @throws {SignatureLoss} for a signed one.
 * @throws {PdfError} for what cannot be read.
 */
export async function convertToArchive(pdf: Uint8Array, request: ArchiveRequest): Promise<Uint8Array> {
  const document = PdfDocument.open(pdf);
  if (!request.allowSignatureLoss && isSigned(document))
    throw new SignatureLoss('is signed, and no conversion leaves a signature valid');
  const now = Date.now();
  const info = readDocumentInfo(document, request, now);
  const violations: Violation[] = [];
  const pages = removeForbidden(document);
  settleColoursAndObjects(document, pages, violations);
  const root = rootOf(document);
  document.catalog.set('Metadata', Ref.to(buildXmp(info)));
  violations.push(...fitStreams(document, root), ...fitObjects(root));
  if (violations.length > 0) throw new NotArchivable(violations);
  return writePdf({ root, info: Ref.to(buildInfo(info)), version: '1.4', compact: false });
}

function rootOf({ trailer, catalog }: PdfDocument): Ref {
  const root = trailer.raw('Root');
  return root instanceof Ref ? root : Ref.to(catalog);
}

function removeForbidden(document: PdfDocument): Dict[] {
  const layers = new Layers(document);
  const isHidden = layers.hides.bind(layers);
  const pages = settlePages(document);
  const form = cleanForm(document);
  for (const page of pages) cleanAnnotations(page, { form, isHidden });
  const graph = readContentGraph(document, pages);
  hideObjects(graph, isHidden);
  const findings = { cmyk: false };
  for (const unit of graph.units) cleanContent(unit, layers, findings);
  cleanCatalog(document);
  return pages;
}

function settleColoursAndObjects(
  document: PdfDocument,
  pages: readonly Dict[],
  violations: Violation[],
): void {
  const graph = readContentGraph(document, pages);
  violations.push(...cleanDrawnObjects(document, graph));
  violations.push(...settleColours(document, graph, true));
  document.catalog.set('OutputIntents', buildOutputIntents());
}
