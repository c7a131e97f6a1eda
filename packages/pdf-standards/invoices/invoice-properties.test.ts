import { describe, expect, test } from 'bun:test';
import { listAttachments } from '../../pdf/attachments/attachments.ts';
import { PdfDocument } from '@platen/pdf/objects';
import { convertToPdfa } from '../pdfa-conversion/convert.ts';
import { plainPdf, stream } from '../../pdf/tests/plain-pdf.ts';
import { readClaims } from '../claims/claims.ts';
import { readInvoiceProperties } from './invoice-properties.ts';

/**
 * Returns a PDF as another program would write it, with an attachment and with XMP properties in a namespace.
 */
function foreign(namespace: string, properties: string, fileName = 'zugferd-invoice.xml'): Buffer {
  const xmp = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:zf="${namespace}">${properties}</rdf:Description></rdf:RDF>`;
  const pdf = plainPdf([
    `<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R/AF[5 0 R]/Names<</EmbeddedFiles<</Names[(${fileName})5 0 R]>>>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>>>',
    stream(xmp, '/Type/Metadata/Subtype/XML'),
    `<</Type/Filespec/F(${fileName})/UF(${fileName})/AFRelationship/Source/EF<</F 6 0 R>>>>`,
    stream('<a/>', '/Type/EmbeddedFile/Subtype/text#2Fxml'),
  ]);
  return Buffer.from(pdf, 'latin1');
}

const ZUGFERD_2 = 'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#';
const properties = (changes: Record<string, string> = {}) =>
  Object.entries({
    DocumentType: 'INVOICE',
    DocumentFileName: 'zugferd-invoice.xml',
    Version: '2p0',
    ConformanceLevel: 'EN 16931',
    ...changes,
  })
    .map(([name, value]) => `<zf:${name}>${value}</zf:${name}>`)
    .join('');
const claimsOf = (pdf: Uint8Array) => readClaims(PdfDocument.open(pdf));

describe('a conversion of the invoice of another program', () => {
  test.each(['3b', '3u'] as const)(
    'keeps its claim at %s, with the schema that declares it',
    async (level) => {
      const made = await convertToPdfa(foreign(ZUGFERD_2, properties()), { level });
      expect(claimsOf(made)).toEqual([`pdfa-${level}`, 'zugferd-2-en16931']);
      const document = PdfDocument.open(made);
      expect(Object.fromEntries(readInvoiceProperties(document)?.values ?? [])).toEqual({
        DocumentFileName: 'zugferd-invoice.xml',
        DocumentType: 'INVOICE',
        Version: '2p0',
        ConformanceLevel: 'EN 16931',
      });
      expect(listAttachments(document)).toMatchObject([
        { name: 'zugferd-invoice.xml', relationship: 'source' },
      ]);
      expect(document.catalog.array('AF')?.length).toBe(1);
    },
  );

  test.each(['1b', '2b', '2u'] as const)('removes its claim with the file at %s', async (level) => {
    const made = await convertToPdfa(foreign(ZUGFERD_2, properties()), { level });
    expect(claimsOf(made)).toEqual([`pdfa-${level}`]);
  });

  test('does not keep a claim without its file, or with properties that are missing or hostile', async () => {
    const claimsAfter = async (pdf: Buffer) => claimsOf(await convertToPdfa(pdf, { level: '3b' }));
    expect(await claimsAfter(foreign(ZUGFERD_2, properties(), 'other.xml'))).toEqual(['pdfa-3b']);
    expect(await claimsAfter(foreign('urn:other#', properties()))).toEqual(['pdfa-3b']);
    for (const Version of ['', '&lt;/rdf:RDF>', 'x'.repeat(101), '2&#10;0'])
      expect(await claimsAfter(foreign(ZUGFERD_2, properties({ Version })))).toEqual(['pdfa-3b']);
  });
});
