import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'bun:test';
import { PdfDocument } from '@platen/pdf/objects';
import { convertToPdfa } from '../pdfa-conversion/convert.ts';
import { convertible } from '../tests/conforming-sample.ts';
import { plainPdf, stream } from '../../pdf/tests/plain-pdf.ts';
import { readClaims } from '../claims/claims.ts';
import { validateProfiles } from './validate.ts';

const PREFIXES =
  'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:u="http://www.aiim.org/pdfua/ns/id/" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#" xmlns:zf="urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#"';

/** A file whose metadata has these properties. */
function withXmp(properties: string, attributes = ''): Buffer {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${PREFIXES} ${attributes}>${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`;
  return withMetadata(xmp);
}

function withMetadata(xmp: string): Buffer {
  const pdf = plainPdf([
    '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>>>',
    stream(xmp, '/Type/Metadata/Subtype/XML'),
  ]);
  return Buffer.from(pdf, 'latin1');
}

const claims = (pdf: Uint8Array) => readClaims(PdfDocument.open(pdf));

describe('readClaims', () => {
  test('reads PDF/A, PDF/UA and invoice claims from elements and attributes', () => {
    expect(claims(withXmp('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>'))).toEqual(
      ['pdfa-3u'],
    );
    expect(claims(withXmp('', 'pdfaid:part="4" pdfaid:rev="2020" u:part="2"'))).toEqual([
      'pdfa-4',
      'pdfua-2',
    ]);
    expect(claims(withXmp('<pdfaid:part> 4 </pdfaid:part>', 'pdfaid:conformance="F"'))).toEqual(['pdfa-4f']);
    expect(
      claims(withXmp('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>', 'zf:ConformanceLevel="COMFORT"')),
    ).toEqual(['factur-x-en16931', 'zugferd-1-comfort']);
    expect(claims(withXmp('<fx:ConformanceLevel>BASIC WL</fx:ConformanceLevel>'))).toEqual([
      'factur-x-basic-wl',
    ]);
  });

  test('reads signatures by their format, and ignores empty signature fields', () => {
    const signed = (subFilter: string) =>
      Buffer.from(
        plainPdf([
          '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R]>>>>',
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<<>>>>',
          '<</FT/Sig/T(empty)>>',
          `<</FT/Sig/T(a)/V<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/${subFilter}/Contents<00>>>>>`,
        ]),
        'latin1',
      );
    expect(claims(signed('ETSI.CAdES.detached'))).toEqual(['pades']);
    expect(claims(signed('adbe.pkcs7.detached'))).toEqual(['signature']);
    expect(claims(signed('ETSI.RFC3161'))).toEqual([]);
  });

  test('finds no claim without metadata, in text, under another namespace, or in an invalid part number', () => {
    expect(claims(Buffer.from(convertible, 'latin1'))).toEqual([]);
    expect(claims(withXmp('<u:other>pdfaid:part="1"</u:other>'))).toEqual([]);
    expect(claims(withXmp('<pdfaid:part xmlns:pdfaid="urn:other">1</pdfaid:part>'))).toEqual([]);
    expect(claims(withXmp('<pdfaid:part>one &lt;b&gt;</pdfaid:part>'))).toEqual([]);
  });

  test('reads a PDF/A claim from metadata that is not well-formed', () => {
    expect(claims(withMetadata('<rdf:RDF><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B<'))).toEqual([
      'pdfa-2b',
    ]);
  });
});

describe('validateProfiles', () => {
  let conforming: Uint8Array;
  beforeAll(async () => {
    conforming = await convertToPdfa(Buffer.from(convertible, 'latin1'), {});
  });

  test('confirms a true claim and refutes a false one', async () => {
    expect(await validateProfiles(conforming)).toEqual({
      claims: ['pdfa-1b'],
      results: [{ profile: 'pdfa-1b', valid: true, findings: [] }],
    });
    const { results } = await validateProfiles(withXmp('', 'pdfaid:part="1" pdfaid:conformance="B"'));
    expect(results).toMatchObject([{ profile: 'pdfa-1b', valid: false }]);
    expect(results[0]?.findings.map(({ clause }) => clause)).toContain('6.1.3');
  });

  test('checks the given profile in place of the claims', async () => {
    const { claims: found, results } = await validateProfiles(Buffer.from(convertible, 'latin1'), 'pdfa-1b');
    expect([found, results.map(({ valid }) => valid)]).toEqual([[], [false]]);
    expect(await validateProfiles(Buffer.from(convertible, 'latin1'))).toEqual({ claims: [], results: [] });
  });

  test('never confirms a profile that it cannot check', async () => {
    const check = async (pdf: Uint8Array, profile: string) =>
      (await validateProfiles(pdf, profile)).results[0];
    const [a, other] = [await check(conforming, 'pdfa-1a'), await check(conforming, 'pdfua-2')];
    expect(a).toMatchObject({ valid: null, findings: [] });
    expect(a?.message).toContain('level A');
    expect(other).toMatchObject({ valid: null, findings: [] });
    expect(other?.message).toStartWith('pdfua-2 cannot be checked');
    // A violation of level B also violates level A.
    expect(await check(withXmp(''), 'pdfa-1a')).toMatchObject({ valid: false });
  });

  test('finds changed signatures, and does not confirm valid ones because it does not check their certificates', async () => {
    const signed = await Bun.file(
      join(import.meta.dir, '../../signatures/tests/fixtures/signatures/plain.pdf'),
    ).bytes();
    const { claims: found, results } = await validateProfiles(signed);
    expect(found).toEqual(['pades']);
    expect(results).toMatchObject([{ profile: 'pades', valid: null, findings: [] }]);
    expect(results[0]?.message).toContain('POST /v1/pdf/verify');
    const changed = Buffer.from(signed);
    changed.writeUInt8(changed.readUInt8(12) ^ 1, 12);
    const tampered = await validateProfiles(changed, 'pades');
    expect(tampered.results).toMatchObject([{ profile: 'pades', valid: false }]);
    expect(tampered.results[0]?.findings).toMatchObject([{ clause: '12.8.1' }]);
  });
});
