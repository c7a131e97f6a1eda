import { asDict, PdfDocument, PdfError, readPages, readXmp, type Dict } from '@platen/pdf/objects';
import { parseXml, type XmlElement } from '@platen/xml';
import type { Violation } from '../violation.ts';
import { checkAnnotations } from './check-annotations.ts';
import { checkContentMarks } from './check-content.ts';
import { checkElements, isLanguageTag } from './check-structure.ts';
import { checkUaFonts } from './check-fonts.ts';
import { checkLanguages } from './check-languages.ts';
import { checkObjects } from './check-objects.ts';
import { checkXfa } from './check-xfa.ts';
import { UaFindings } from './findings.ts';
import { byDict, remapsStandardType, walkStructure } from './walk-structure.ts';

/** A version of PDF 1 in the header (6.1). */
const HEADER = /^%PDF-1\.[0-7]$/;
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const DC = 'http://purl.org/dc/elements/1.1/';
const PDFUA = 'http://www.aiim.org/pdfua/ns/id/';
/** The right to extract text for accessibility (ISO 32000-1 table 22). */
const ACCESSIBILITY = 1 << 9;

/** The clauses of ISO 14289-1 that {@link checkPdfua} checks. */
export const CHECKED_UA_CLAUSES: readonly string[] =
  '5 6.1 7.1 7.2 7.3 7.4.2 7.4.4 7.5 7.7 7.9 7.10 7.11 7.15 7.16 7.18.1 7.18.2 7.18.3 7.18.4 7.18.5 7.18.6.2 7.18.8 7.20 7.21.3 7.21.3.1 7.21.3.2 7.21.3.3 7.21.4.1 7.21.4.2 7.21.5 7.21.6 7.21.7 7.21.8'.split(
    ' ',
  );

/**
 * Parses a file and reports the violations of PDF/UA-1 (ISO 14289-1) that software can find. Relies only on
 * the bytes of the file, not on the repair. Software cannot tell whether descriptions are meaningful or
 * whether the reading order makes sense.
 */
export function checkPdfua(pdf: Uint8Array): Violation[] {
  const findings = new UaFindings();
  try {
    const document = PdfDocument.open(pdf);
    checkHeader(pdf, findings);
    checkCatalog(document, findings);
    checkMetadata(document, findings);
    const { pages } = readPages(document);
    const tagged = walkStructure(document);
    if (!tagged || tagged.length === 0) {
      findings.add(
        '7.1',
        tagged ? 'the document has no structure tags' : 'the structure is nested too deeply',
      );
      return findings.violations;
    }
    const elements = byDict(tagged);
    checkElements(tagged, findings);
    const hasLanguage = document.catalog.string('Lang') !== undefined;
    if (!hasLanguage) checkLanguages(document, tagged, findings);
    const context = { document, elements, findings, hasLanguage };
    checkContentMarks(context, pages);
    checkAnnotations(document, pages, context);
    checkObjects(document, findings);
    checkUaFonts(document, findings);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    findings.add('file', `the file ${error.message}`);
  }
  return findings.violations;
}

/** Checks that the first line of the file has a version of PDF 1 (6.1). */
function checkHeader(pdf: Uint8Array, findings: UaFindings): void {
  const start = Buffer.from(pdf.subarray(0, 20)).toString('latin1');
  const [line = ''] = start.split(/[\r\n]/, 1);
  findings.expect(HEADER.test(line), '6.1', 'the header does not have a version from 1.0 to 1.7');
}

function checkCatalog(document: PdfDocument, findings: UaFindings): void {
  const { catalog, trailer } = document;
  const mark = catalog.dict('MarkInfo');
  findings.expect(mark?.get('Marked') === true, '7.1', 'the document is not marked as tagged');
  findings.expect(mark?.get('Suspects') !== true, '7.1', 'the document has suspect tags');
  findings.expect(!remapsStandardType(document), '7.1', 'the role map changes a standard structure type');
  findings.expect(
    catalog.dict('ViewerPreferences')?.get('DisplayDocTitle') === true,
    '7.1',
    'the title is not displayed in the title bar',
  );
  const language = catalog.string('Lang');
  if (language && !isLanguageTag(language))
    findings.add('7.2', 'the language of the document is not a language tag');
  checkXfa(document, findings);
  const rights = trailer.dict('Encrypt')?.number('P');
  findings.expect(
    !trailer.map.has('Encrypt') || ((rights ?? 0) & ACCESSIBILITY) !== 0,
    '7.16',
    'the encryption does not allow assistive technology to read the text',
  );
  checkLayers(catalog, findings);
}

/** Checks the configurations of layers (7.10). */
function checkLayers(catalog: Dict, findings: UaFindings): void {
  const layers = catalog.dict('OCProperties');
  if (!layers) return;
  const alternatives = layers.array('Configs') ?? [];
  for (const object of [layers.raw('D') ?? null, ...alternatives]) {
    const config = asDict(object);
    findings.expect(
      (config?.string('Name')?.bytes.length ?? 0) > 0,
      '7.10',
      'a configuration of layers has no name',
    );
    findings.expect(!config?.map.has('AS'), '7.10', 'a configuration of layers changes them automatically');
  }
}

function checkMetadata(document: PdfDocument, findings: UaFindings): void {
  const text = readXmp(document)
    ?.replace(/^\ufeff/, '')
    .trim();
  const root = text === undefined ? undefined : parseXml(text);
  const rdf = root?.name === `${RDF} RDF` ? root : root?.children.find(({ name }) => name === `${RDF} RDF`);
  if (!rdf) return findings.add('7.1', 'the document has no XMP metadata');
  const properties = rdf.children.flatMap(({ children }) => children);
  const identification = (key: string) => [
    ...properties.filter(({ name }) => name === `${PDFUA} ${key}`),
    ...rdf.children.flatMap(({ attributes, prefixes }) => {
      const value = attributes.get(`${PDFUA} ${key}`);
      return value === undefined ? [] : [{ text: value, prefix: prefixes.get(`${PDFUA} ${key}`) }];
    }),
  ];
  const [part] = identification('part');
  findings.expect(part?.text.trim() === '1', '5', 'the metadata does not identify the document as PDF/UA-1');
  findings.expect(
    ['part', 'amd', 'corr'].flatMap(identification).every(({ prefix }) => prefix === 'pdfuaid'),
    '5',
    'the PDF/UA identification does not use the namespace prefix pdfuaid',
  );
  const title = properties.find(({ name }) => name === `${DC} title`);
  findings.expect(title !== undefined && textIn(title) !== '', '7.1', 'the document has no title');
  const hasLanguage = document.catalog.string('Lang') !== undefined;
  findings.expect(
    hasLanguage || !hasDefaultText(rdf),
    '7.2',
    'a default text of the metadata has no language',
  );
}

/** Tells whether a property has a text for all languages. */
function hasDefaultText({ attributes, children }: XmlElement): boolean {
  return attributes.get('xml lang') === 'x-default' || children.some(hasDefaultText);
}

/** Returns the text in an element and its children. */
function textIn({ text, children }: XmlElement): string {
  return (text + children.map(textIn).join('')).trim();
}
