import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'bun:test';
import { invoice } from '../../einvoice/tests/build-invoice.ts';
import { addAttachments } from '../../pdf/attachments/attachments.ts';
import { PdfDocument } from '@platen/pdf/objects';
import { plainPdf, stream } from '../../pdf/tests/plain-pdf.ts';
import { writeInvoice, type InvoiceSyntax } from '@platen/einvoice';
import { readEmbeddedInvoice } from './check-invoice.ts';

const blank = Buffer.from(
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
  ]),
  'latin1',
);

/** Reads the invoice of a PDF with attachments. */
function readFrom(files: Readonly<Record<string, string | Uint8Array>>) {
  const added = Object.entries(files).map(([name, data]) => ({
    name,
    data: Buffer.from(data as string).toString('base64'),
  }));
  const pdf = addAttachments(PdfDocument.open(blank), added, { field: 'pdf', now: 0 });
  return readEmbeddedInvoice(PdfDocument.open(pdf));
}

function xmlOf(syntax: InvoiceSyntax = 'cii'): string {
  const note = { 'cbc:Note': ['Größe 5 €'] };
  return new TextDecoder().decode(writeInvoice(invoice(note), { profile: 'en16931', syntax }).xml);
}

const declared = (encoding: string) => xmlOf().replace('encoding="UTF-8"', `encoding="${encoding}"`);
const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};
const bodyOf = (xml: string) => xml.slice(xml.indexOf('?>') + 2);
const readable = { profile: 'en16931', findings: [], data: { 'ubl:Invoice': { 'cbc:Note': ['Größe 5 €'] } } };

describe('the embedded invoice', () => {
  test.each(['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml', 'ZUGFeRD-invoice.xml'])(
    'is found as %s, in both syntaxes',
    (fileName) => {
      for (const syntax of ['cii', 'ubl'] as const)
        expect(readFrom({ 'terms.pdf': 'x', [fileName]: xmlOf(syntax) })).toMatchObject({
          fileName,
          syntax,
          ...readable,
        });
    },
  );

  test('is undefined for an order, a file with another name, and a PDF without attachments', () => {
    expect(readFrom({ 'order-x.xml': xmlOf() })).toBeUndefined();
    expect(readFrom({ 'invoice.xml': xmlOf() })).toBeUndefined();
    expect(readEmbeddedInvoice(PdfDocument.open(blank))).toBeUndefined();
  });

  test('of ZUGFeRD 2.0 is checked by the rules of its profile', () => {
    const { xml } = writeInvoice(invoice(), { profile: 'basic_wl' });
    const earlier = new TextDecoder().decode(xml).replace('factur-x.eu:1p0', 'zugferd.de:2p0');
    expect(readFrom({ 'zugferd-invoice.xml': earlier })).toMatchObject({ profile: 'basic_wl', findings: [] });
  });

  test.each([
    ['urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_1.2', null],
    ['urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3', null],
    ['urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0', null],
    ['urn:cen.eu:en16931:2017:compliant:factur-x.eu:1p0:basic', null],
    ['urn:cen.eu:en16931:2017:compliant:urn:zugferd.de:2p0:basic', null],
    ['urn:ferd:CrossIndustryDocument:invoice:1p0:comfort', null],
    ['urn:example', null],
    ['urn:cen.eu:en16931:2017#compliant#urn:zugferd.de:2p0:basic', true],
    ['urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p0:extended', true],
  ])('with the specification identifier %s is valid: %p', (specification, valid) => {
    const identified = (xml: string) => xml.replace('>urn:cen.eu:en16931:2017<', `>${specification}<`);
    const read = readFrom({ 'factur-x.xml': identified(xmlOf()) });
    expect(read).toMatchObject({ specification, valid, findings: [] });
    expect(read?.message ?? '').toContain(valid === null ? specification : '');
    const faulty = identified(xmlOf()).replace('DuePayableAmount>1785', 'DuePayableAmount>1784');
    expect(readFrom({ 'factur-x.xml': faulty })).toMatchObject({
      valid: valid === null ? null : false,
      findings: [{ rule: 'BR-CO-16' }],
    });
  });

  test('of ZUGFeRD 1.0 is reported with its XML, but its data is not read', () => {
    const xml = '<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"/>';
    expect(readFrom({ 'ZUGFeRD-invoice.xml': xml })).toMatchObject({
      xml,
      data: null,
      valid: null,
      message: expect.stringContaining('ZUGFeRD 1.0'),
      findings: [],
    });
  });

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${xmlOf()}`)],
    ['UTF-16, little-endian', utf16(declared('UTF-16'), false)],
    ['UTF-16, big-endian', utf16(declared('UTF-16'), true)],
    ['UTF-16 without a byte order mark', utf16(declared('UTF-16'), false).subarray(2)],
    ['UTF-8 that says it is UTF-16', declared('utf-16')],
    ['windows-1252', Buffer.from(declared('windows-1252').replace('€', '\u0080'), 'latin1')],
    ['ISO-8859-1', Buffer.from(declared('ISO-8859-1').replace('€', '&#8364;'), 'latin1')],
  ])('is read in %s', (_, file) => {
    expect(readFrom({ 'factur-x.xml': file })).toMatchObject(readable);
  });

  test.each([
    ['invalid UTF-8', Buffer.from(xmlOf(), 'latin1'), 'is not text in the encoding utf-8'],
    ['an unknown encoding', declared('x-secret'), 'is not text in the encoding x-secret'],
    ['no text', '', 'must be a Cross Industry Invoice'],
    ['a binary file', Buffer.from([0, 1, 2, 255]), 'is not text'],
    [
      'an external entity',
      `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${bodyOf(xmlOf()).replace('Größe', '&b;')}`,
      'must be a Cross Industry Invoice',
    ],
    [
      'entities that grow exponentially',
      `<!DOCTYPE a [<!ENTITY a "ha">${Array.from({ length: 30 }, (_, at) => `<!ENTITY a${at + 1} "&a${at};&a${at};">`).join('')}]>${bodyOf(xmlOf()).replace('Größe', '&a30;')}`,
      'must be a Cross Industry Invoice',
    ],
    ['an undeclared entity', xmlOf().replace('Größe', '&secret;'), 'must be a Cross Industry Invoice'],
    ['deep nesting', `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`, 'must be a Cross Industry Invoice'],
    ['a truncated end', xmlOf().slice(0, -40), 'must be a Cross Industry Invoice'],
  ])('with %s is a finding', (_, file, message) => {
    const read = readFrom({ 'factur-x.xml': file });
    expect(read).toMatchObject({ data: null, findings: [{ rule: 'FORMAT', path: '' }] });
    expect(read?.findings[0]?.message).toStartWith(message);
  });

  test('that decompresses to more than the limit rejects the file', () => {
    const bomb = deflateSync(Buffer.alloc(26_000_000)).toString('latin1');
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(factur-x.xml)4 0 R]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      '<</Type/Filespec/F(factur-x.xml)/EF<</F 5 0 R>>>>',
      stream(bomb, '/Type/EmbeddedFile/Filter/FlateDecode'),
    ]);
    expect(() => readEmbeddedInvoice(PdfDocument.open(Buffer.from(pdf, 'latin1')))).toThrow('is too large');
  });

  test('with invalid values or too many lines has at most 100 findings', () => {
    const wrong = xmlOf()
      .replace('>20261122<', '>soon<')
      .replace('<ram:LineTotalAmount>1500.00', '<ram:LineTotalAmount>1e3');
    const { findings = [] } = readFrom({ 'factur-x.xml': wrong }) ?? {};
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toContain('FORMAT ubl:Invoice.cbc:IssueDate');
    const line = /<ram:IncludedSupplyChainTradeLineItem>[^]*<\/ram:IncludedSupplyChainTradeLineItem>/;
    const many = xmlOf().replace(line, (one) => one.replace('HUR', 'hours').repeat(150));
    expect(readFrom({ 'factur-x.xml': many })?.findings.length).toBe(100);
    const tooManyLines = xmlOf().replace(line, '<ram:IncludedSupplyChainTradeLineItem/>'.repeat(10_001));
    expect(readFrom({ 'factur-x.xml': tooManyLines })?.findings).toContainEqual({
      rule: 'FORMAT',
      path: 'ubl:Invoice.cac:InvoiceLine',
      message: 'must have at most 10000 items',
    });
  });
});
