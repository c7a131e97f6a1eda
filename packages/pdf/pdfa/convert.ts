import { encodeText, PdfDocument, Ref, writePdf, type Dict } from '../objects/index.ts';
import { checkPdfa } from './check/check-pdfa.ts';
import { drawForm } from '../forms/appearance/draw-form.ts';
import { buildOutputIntents } from './colour/output-intent.ts';
import { convertColours } from './colour/convert-colours.ts';
import { cleanContent } from './content/clean-content.ts';
import { readContentGraph } from './content/graph.ts';
import { flattenTransparency } from './transparency/flatten-transparency.ts';
import { embedFonts } from './fonts/embed-fonts.ts';
import { reencodeJpeg2000 } from './images/reencode-jpeg2000.ts';
import { fitObjects } from './limits/fit-objects.ts';
import { replaceForbiddenFilters } from './limits/stream-filters.ts';
import { buildInfo, readDocumentInfo, type RequestedMetadata } from './metadata/document-info.ts';
import { buildXmp } from './metadata/xmp.ts';
import { cleanAnnotations } from './removal/annotations.ts';
import { cleanCatalog } from './removal/catalog.ts';
import { cleanDrawnObjects, hideObjects } from './removal/drawn-objects.ts';
import { cleanForm, isSigned } from './removal/forms.ts';
import { Layers } from './removal/layers.ts';
import { rebuildPages } from './pages.ts';
import { PdfaError, type Violation } from './violation.ts';

/** Describes a conversion to PDF/A-1b. */
export interface ConversionRequest extends RequestedMetadata {
  /** Converts a signed document too: its signatures become part of the page content. */
  allowSignatureLoss?: boolean | undefined;
  /** The PDFs drawn for the texts of an {@link UndrawnTextError}. */
  drawn?: readonly Uint8Array[] | undefined;
}

/** Thrown for a signed document unless the request allows its signatures to be lost. */
export class SignatureLossError extends Error {
  override name = 'SignatureLossError';
}

/**
 * Converts a PDF to PDF/A-1b (ISO 19005-1) and checks the result. Returns the file unchanged if it already conforms and no metadata
 * was requested.
 * @throws {PdfaError} if the document cannot be made to conform; it lists the violated clauses.
 * @throws {SignatureLossError} if the document is signed and `allowSignatureLoss` is not set.
 * @throws {UndrawnTextError} if a browser must draw the values of fields first.
 * @throws {PdfError} if the file cannot be read.
 */
export async function convertToPdfa(pdf: Uint8Array, request: ConversionRequest): Promise<Uint8Array> {
  if (!asksForMetadata(request) && claimsPdfa(pdf) && checkPdfa(pdf).length === 0) return pdf;
  const document = PdfDocument.open(pdf);
  if (request.allowSignatureLoss !== true && isSigned(document))
    throw new SignatureLossError('is signed, and the conversion would invalidate its signatures');
  const converted = await convert(document, request);
  const violations = checkPdfa(converted);
  if (violations.length > 0) throw new PdfaError(violations);
  return converted;
}

function asksForMetadata(request: RequestedMetadata): boolean {
  const { title, author, subject, keywords, creator, producer, language } = request;
  return [title, author, subject, keywords, creator, producer, language].some((value) => value !== undefined);
}

/** PDF/A-1 metadata is never compressed, so the claim can be found without parsing the file. */
function claimsPdfa(pdf: Uint8Array): boolean {
  return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length).includes('http://www.aiim.org/pdfa/ns/id/');
}

async function convert(document: PdfDocument, request: ConversionRequest): Promise<Uint8Array> {
  const info = readDocumentInfo(document, request, Date.now());
  drawForm(document, request.drawn);
  const { pages, cmyk, unreadable } = removeForbidden(document);
  if (unreadable)
    throw new PdfaError([{ clause: '6.1.7', message: 'the content of a page cannot be decoded' }]);
  embedFonts(document, readContentGraph(document, pages));
  await flattenTransparency(document, pages);
  const graph = readContentGraph(document, pages);
  const violations: Violation[] = cleanDrawnObjects(document, graph);
  violations.push(...(await reencodeJpeg2000(graph)));
  violations.push(...convertColours(document, graph, cmyk));
  const { catalog, trailer } = document;
  catalog.set('OutputIntents', buildOutputIntents());
  catalog.set('Metadata', Ref.to(buildXmp(info)));
  if (request.language !== undefined)
    catalog.set('Lang', info.language === undefined ? undefined : encodeText(info.language));
  const own = trailer.raw('Root');
  const root = own instanceof Ref ? own : Ref.to(catalog);
  violations.push(...replaceForbiddenFilters(document, root), ...fitWithinLimits(catalog, root));
  if (violations.length > 0) throw new PdfaError(violations);
  return writePdf({ root, info: Ref.to(buildInfo(info)), version: '1.4', compact: false });
}

/** Brings all objects within the implementation limits. Drops the structure tree, which level B does not require, if it exceeds them. */
function fitWithinLimits(catalog: Dict, root: Ref): Violation[] {
  const violations = fitObjects(root);
  if (violations.length === 0 || !catalog.map.has('StructTreeRoot')) return violations;
  catalog.delete('StructTreeRoot', 'MarkInfo');
  return fitObjects(root);
}

/** Removes forbidden features. Returns the pages, whether their content uses `DeviceCMYK`, and whether some of it cannot be decoded. */
function removeForbidden(document: PdfDocument): { pages: Dict[]; cmyk: boolean; unreadable: boolean } {
  const layers = new Layers(document);
  const isHidden = layers.hides.bind(layers);
  const pages = rebuildPages(document);
  cleanForm(document);
  for (const page of pages) cleanAnnotations(page, isHidden);
  const graph = readContentGraph(document, pages);
  const findings = { cmyk: false };
  for (const unit of graph.units) cleanContent(unit, layers, findings);
  hideObjects(graph, isHidden);
  cleanCatalog(document);
  return { pages, cmyk: findings.cmyk, unreadable: graph.unreadable.size > 0 };
}
