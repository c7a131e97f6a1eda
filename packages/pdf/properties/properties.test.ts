import { describe, expect, test } from 'bun:test';
import { PdfDocument } from '../objects/index.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import { readProperties, setProperties, type PropertyChanges } from './properties.ts';
import { readXmpValues } from './xmp-properties.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>';
const pages = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
const bare = plainPdf(['<</Type/Catalog/Pages 2 0 R>>', pages, page]);

/** A file with XMP metadata. */
const withXmp = (xmp: string, info = '') =>
  plainPdf(
    [
      '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
      pages,
      page,
      stream(xmp, '/Type/Metadata/Subtype/XML'),
      `<<${info}>>`,
    ],
    '/Info 5 0 R',
  );
const rdf = (content: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${content}</rdf:RDF></x:xmpmeta>`;
const namespaces =
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:acme="http://acme.example/ns/"';

const open = (pdf: string | Uint8Array) =>
  PdfDocument.open(typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf);
const set = (pdf: string | Uint8Array, changes: PropertyChanges) => setProperties(open(pdf), changes, NOW);

describe('setProperties', () => {
  test('writes properties that readProperties returns', () => {
    const changes = {
      title: 'Räksmörgås & 寿司 <1>',
      author: 'Ada Lovelace',
      subject: 'Engines',
      keywords: ['mill', 'store'],
      language: 'en-GB',
    };
    expect(readProperties(open(set(bare, changes)))).toEqual({
      ...changes,
      creator: '',
      producer: '',
      creationDate: null,
      modificationDate: '2026-01-02T03:04:05.000Z',
    });
  });

  test('removes properties whose new value is null or empty, from Info and XMP', () => {
    const full = set(bare, { title: 'Secret title', author: 'Ada', keywords: ['a'], language: 'de' });
    expect(full.toString('latin1')).toContain('Secret title');
    expect(full.toString('latin1')).toContain('dc:creator');
    const removed = set(full, { title: null, author: '', keywords: [], language: null });
    expect(removed.toString('latin1')).not.toContain('Secret title');
    expect(removed.toString('latin1')).not.toContain('dc:creator');
    expect(readProperties(open(removed))).toMatchObject({
      title: '',
      author: '',
      keywords: [],
      language: '',
    });
  });

  test('keeps other XMP properties and other entries of Info', () => {
    const xmp = rdf(
      `<rdf:Description rdf:about="uuid:1" ${namespaces} pdf:Keywords="old" acme:rank="7"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B</rdf:li></rdf:Seq></dc:creator></rdf:Description>`,
    );
    const text = set(withXmp(xmp, '/Company(ACME)'), { title: 'New', keywords: ['k'] }).toString('latin1');
    expect(text).toContain('acme:rank="7"');
    expect(text).toContain('<rdf:li>B</rdf:li>');
    expect(text).toContain('/Company (ACME)');
    expect(text).toContain('rdf:about="uuid:1"');
    expect(text).not.toContain('Old');
    expect(text).not.toContain('"old"');
    expect(readProperties(open(Buffer.from(text, 'latin1')))).toMatchObject({
      title: 'New',
      author: 'A, B',
      keywords: ['k'],
    });
  });

  test('writes well-formed XMP for text with control characters', () => {
    const requested = set(bare, { title: 'a\u0000b', keywords: ['c\u0000d', '\u0007'] });
    const kept = set(withXmp(rdf(''), '/Keywords(c\\000d, \\007)'), { title: 'a b' });
    for (const pdf of [requested, kept]) {
      expect(readXmpValues(open(pdf)).get('dc:subject')).toEqual(['c d']);
      expect(readProperties(open(pdf))).toMatchObject({ title: 'a b', keywords: ['c d'] });
    }
  });

  test('replaces XMP that is not well-formed', () => {
    const text = set(withXmp('<x:xmpmeta><dc:title>'), { title: 'New' }).toString('latin1');
    expect(text.match(/<dc:title>/g)).toHaveLength(1);
    expect(readProperties(open(Buffer.from(text, 'latin1'))).title).toBe('New');
  });
});

describe('readProperties', () => {
  test('reads XMP where Info has no entry', () => {
    const xmp = rdf(
      `<rdf:Description rdf:about="" ${namespaces}><dc:title><rdf:Alt><rdf:li xml:lang="x-default">From XMP</rdf:li></rdf:Alt></dc:title><dc:subject><rdf:Bag><rdf:li>a</rdf:li><rdf:li>b</rdf:li></rdf:Bag></dc:subject></rdf:Description>`,
    );
    expect(readProperties(open(withXmp(xmp, '/Author(Info)')))).toMatchObject({
      title: 'From XMP',
      author: 'Info',
      keywords: ['a', 'b'],
    });
  });
});
