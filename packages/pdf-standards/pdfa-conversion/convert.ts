import { encodeText, PdfDocument, Ref, writePdf, type Dict, type PdfObject } from '@platen/pdf/objects';
import { checkPdfua } from '../pdfua-check/check-pdfua.ts';
import { withPdfuaClaim } from '../pdfua-repair/claim.ts';
import { readClaims } from '../claims/claims.ts';
import { removeClaims } from '../claims/true-claims.ts';
import { checkPdfa } from '../pdfa-check/check-pdfa.ts';
import { attachInvoice, hasInvoice, type InvoiceFile } from '../invoices/invoice-file.ts';
import {
  invoiceDescriptions,
  invoiceProperties,
  readInvoiceProperties,
} from '../invoices/invoice-properties.ts';
import { drawForm } from '@platen/pdf/forms';
import { buildOutputIntents } from './colour/output-intent.ts';
import { convertColours } from './colour/convert-colours.ts';
import { cleanContent } from './content/clean-content.ts';
import { adoptInheritedResources } from '../content/inherited-resources.ts';
import { readContentGraph } from '../content/graph.ts';
import { flattenTransparency } from './transparency/flatten-transparency.ts';
import { embedFonts } from '../fonts/embed-fonts.ts';
import { reencodeJpeg2000 } from './reencode-jpeg2000.ts';
import { fitObjects } from './fit-objects.ts';
import { replaceForbiddenFilters } from '../limits/stream-filters.ts';
import { buildInfo, readDocumentInfo, type RequestedMetadata } from '@platen/pdf/properties';
import { buildXmp, metadataStream } from '@platen/pdf/properties';
import { cleanAnnotations } from './removal/annotations.ts';
import { cleanCatalog } from './removal/catalog.ts';
import { cleanDrawnObjects, hideObjects } from './removal/drawn-objects.ts';
import { removeSignatures } from '@platen/pdf/forms';
import { isSigned } from '@platen/pdf/edit';
import { cleanForm } from './removal/forms.ts';
import { KeptAttachments } from './removal/attachments.ts';
import { removeObjectMetadata } from './removal/object-metadata.ts';
import { keptLayers, Layers } from './removal/layers.ts';
import { levelRules, type LevelRules, type PdfaLevel } from '../levels.ts';
import { rebuildPages } from './pages.ts';
import { BreachError, PdfaError, violationOf, type Breach } from '../violation.ts';

/** The settings of a conversion to PDF/A. */
export interface ConversionRequest extends RequestedMetadata {
  /** The level, 1b by default. */
  level?: PdfaLevel | undefined;
  /**
   * Whether to convert a signed document too. Its signatures become invalid and are removed; their
   * appearances stay.
   */
  allowSignatureLoss?: boolean | undefined;
  /** The PDFs that a browser has drawn for the texts of an {@link UndrawnTextError}. */
  drawn?: readonly Uint8Array[] | undefined;
  /** An invoice to embed. Only part 3 allows it. */
  invoice?: InvoiceFile | undefined;
}

/** Thrown for a signed document unless the request allows its signatures to be lost. */
export class SignatureLossError extends Error {
  override name = 'SignatureLossError';
}

/**
 * Converts a PDF to PDF/A (ISO 19005) and checks the result. Returns the file unchanged if it already
 * conforms and the request has neither metadata nor an invoice.
 * @throws {PdfaError} with the violations if the document cannot be made to conform.
 * @throws {SignatureLossError} if the document is signed and `allowSignatureLoss` is not set.
 * @throws {UndrawnTextError} if a browser must draw the values of fields first.
 * @throws {PdfError} if the file cannot be read.
 */
export async function convertToPdfa(pdf: Uint8Array, request: ConversionRequest): Promise<Uint8Array> {
  const { level = '1b' } = request;
  const rules = levelRules(level);
  const { invoice } = request;
  if (!invoice && !asksForMetadata(request) && claimsPdfa(pdf) && checkPdfa(pdf, level).length === 0)
    return pdf;
  let document = PdfDocument.open(pdf);
  if (request.allowSignatureLoss !== true && isSigned(document))
    throw new SignatureLossError('is signed, and the conversion would invalidate its signatures');
  const isAccessible = readClaims(document).includes('pdfua-1');
  if (invoice) document = PdfDocument.open(attachInvoice(document, invoice));
  let converted = await convert(document, { ...request, isAccessible }, rules).catch((error: unknown) => {
    if (!(error instanceof BreachError)) throw error;
    throw new PdfaError(error.breaches.map((breach) => violationOf(breach, rules)));
  });
  if (isAccessible && checkPdfua(converted).length > 0)
    converted = removeClaims(PdfDocument.open(converted), 'PDF/A');
  const violations = checkPdfa(converted, level);
  if (violations.length > 0) throw new PdfaError(violations);
  return converted;
}

function asksForMetadata(request: RequestedMetadata): boolean {
  const { title, author, subject, keywords, creator, producer, language } = request;
  return [title, author, subject, keywords, creator, producer, language].some((value) => value !== undefined);
}

/**
 * Tells whether a file may claim PDF/A, without parsing it. Misses a claim in compressed metadata, which
 * PDF/A-1 forbids.
 */
function claimsPdfa(pdf: Uint8Array): boolean {
  return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length).includes('http://www.aiim.org/pdfa/ns/id/');
}

async function convert(
  document: PdfDocument,
  request: ConversionRequest & { isAccessible: boolean },
  rules: LevelRules,
): Promise<Uint8Array> {
  removeSignatures(document);
  const info = readDocumentInfo(document, request, Date.now());
  const descriptions = describeInvoice(document, request, rules);
  drawForm(document, request.drawn);
  const { pages, cmyk, unreadable, attachments, breaches } = removeForbidden(document, rules);
  if (unreadable)
    throw new BreachError([{ rule: 'streams', message: 'the content of a page cannot be decoded' }]);
  embedFonts(document, rules, readContentGraph(document, pages));
  if (!rules.transparency) await flattenTransparency(document, pages);
  const graph = readContentGraph(document, pages);
  breaches.push(...cleanDrawnObjects(document, graph, rules));
  breaches.push(...(await reencodeJpeg2000(graph, rules)));
  breaches.push(...convertColours(document, graph, { pages, cmyk, rules }));
  const { catalog, trailer } = document;
  catalog.set('OutputIntents', buildOutputIntents());
  const xmp = buildXmp(info, rules, descriptions);
  const claimed = request.isAccessible ? withPdfuaClaim(xmp, true) : xmp;
  catalog.set('Metadata', Ref.to(metadataStream(claimed)));
  if (request.language !== undefined)
    catalog.set('Lang', info.language === undefined ? undefined : encodeText(info.language));
  const catalogRef = trailer.raw('Root');
  const root = catalogRef instanceof Ref ? catalogRef : Ref.to(catalog);
  if (rules.part > 1) removeObjectMetadata(root, catalog);
  breaches.push(...replaceForbiddenFilters(document, root, rules));
  breaches.push(...fitWithinLimits(catalog, root, { rules, attachments }));
  if (breaches.length > 0) throw new BreachError(breaches);
  return writePdf({
    root,
    info: Ref.to(buildInfo(info)),
    version: rules.version,
    compact: rules.objectStreams,
  });
}

/**
 * Returns the XMP descriptions of the invoice in the result: the requested invoice, or the invoice of the
 * document if the level allows it.
 */
function describeInvoice(
  document: PdfDocument,
  { invoice }: ConversionRequest,
  { attachments }: LevelRules,
): string[] {
  if (invoice) return invoiceDescriptions(invoiceProperties(invoice));
  const kept = attachments === 'any' && hasInvoice(document) ? readInvoiceProperties(document) : undefined;
  return kept ? invoiceDescriptions(kept) : [];
}

/**
 * Brings all objects within the implementation limits. If some exceed them, drops the structure tree, which
 * levels B and U do not require.
 */
function fitWithinLimits(catalog: Dict, root: Ref, context: Parameters<typeof fitObjects>[1]): Breach[] {
  const breaches = fitObjects(root, context);
  if (breaches.length === 0 || !catalog.map.has('StructTreeRoot')) return breaches;
  catalog.delete('StructTreeRoot', 'MarkInfo');
  return fitObjects(root, context);
}

/** The result of removing the forbidden features of a document. */
interface Cleaned {
  pages: Dict[];
  /** Whether the content uses `DeviceCMYK`. */
  cmyk: boolean;
  /** Whether some content cannot be decoded. */
  unreadable: boolean;
  attachments: KeptAttachments;
  /** The rules that the document still breaks. */
  breaches: Breach[];
}

/** Removes the features of a document that the level forbids. */
function removeForbidden(document: PdfDocument, rules: LevelRules): Cleaned {
  const layers = rules.layers ? keptLayers() : new Layers(document);
  const isHidden = (layer: PdfObject | undefined) => layers.hides(layer);
  const breaches: Breach[] = [];
  const conforms = (pdf: Uint8Array, level: PdfaLevel) => checkPdfa(pdf, level).length === 0;
  const attachments = new KeptAttachments(document, rules, conforms);
  const pages = rebuildPages(document, rules);
  cleanForm(document);
  for (const page of pages) cleanAnnotations(page, { isHidden, rules, attachments, breaches });
  const graph = readContentGraph(document, pages);
  const findings = { cmyk: false };
  for (const unit of graph.units) {
    if (rules.part > 1) adoptInheritedResources(unit);
    cleanContent(unit, layers, findings);
  }
  hideObjects(graph, isHidden, rules);
  cleanCatalog(document, rules, attachments);
  return { pages, cmyk: findings.cmyk, unreadable: graph.unreadable.size > 0, attachments, breaches };
}
