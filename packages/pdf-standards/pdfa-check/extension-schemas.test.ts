import { beforeAll, expect, test } from 'bun:test';
import { PdfStream } from '@platen/pdf/objects';
import { changed, convertible } from '../tests/conforming-sample.ts';
import { convertToPdfa } from '../pdfa-conversion/convert.ts';
import { checkPdfa } from './check-pdfa.ts';

const NAMESPACES =
  'xmlns:x="urn:example#" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" xmlns:pdfaType="http://www.aiim.org/pdfa/ns/type#" xmlns:pdfaField="http://www.aiim.org/pdfa/ns/field#"';
const TYPE =
  '<pdfaSchema:valueType><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaType:type>Sum</pdfaType:type><pdfaType:namespaceURI>urn:example#</pdfaType:namespaceURI><pdfaType:prefix>x</pdfaType:prefix><pdfaType:description>A sum</pdfaType:description><pdfaType:field><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaField:name>value</pdfaField:name><pdfaField:valueType>Text</pdfaField:valueType><pdfaField:description>The value</pdfaField:description></rdf:li></rdf:Seq></pdfaType:field></rdf:li></rdf:Seq></pdfaSchema:valueType>';
const SCHEMA = `<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Example</pdfaSchema:schema><pdfaSchema:namespaceURI>urn:example#</pdfaSchema:namespaceURI><pdfaSchema:prefix>x</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>order</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>The order</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property>${TYPE}</rdf:li></rdf:Bag></pdfaExtension:schemas>`;

let document: Uint8Array;
beforeAll(async () => {
  document = await convertToPdfa(Buffer.from(convertible, 'latin1'), { level: '2b' });
});

/**
 * Returns the violated clauses of the document after a property and its changed extension schema have been
 * added.
 */
function violations(change: (schema: string) => string, more = ''): string[] {
  const description = `<rdf:Description rdf:about="" ${NAMESPACES}><x:order>4711</x:order>${more}${change(SCHEMA)}</rdf:Description></rdf:RDF>`;
  const pdf = changed(document, (sample) => {
    const metadata = sample.catalog.get('Metadata') as PdfStream;
    const packet = Buffer.from(metadata.raw).toString().replace('</rdf:RDF>', description);
    sample.replace(metadata, new PdfStream(metadata.dict, Buffer.from(packet)));
  });
  return checkPdfa(pdf, '2b').map(({ clause }) => clause);
}

test('accepts a property whose extension schema is described', () => {
  expect(violations((schema) => schema)).toEqual([]);
});

/** Removes the first element with a name. */
const drop = (name: string) => (schema: string) =>
  schema.slice(0, schema.indexOf(`<${name}>`)) + schema.slice(schema.indexOf(`</${name}>`) + name.length + 3);

test.each<[string, (schema: string) => string]>([
  ['without a prefix', drop('pdfaSchema:prefix')],
  ['without a title', drop('pdfaSchema:schema')],
  ['with a property without a description', drop('pdfaProperty:description')],
  ['with an unknown category', (schema) => schema.replace('>external<', '>odd<')],
  ['with an unknown field', (schema) => schema.replace('<pdfaSchema:prefix>', '<x:odd/><pdfaSchema:prefix>')],
  ['with another prefix', (schema) => schema.replaceAll('pdfaExtension:', 'e:')],
  ['with a sequence in place of a bag', (schema) => schema.replaceAll('rdf:Bag', 'rdf:Seq')],
  ['with a type without a name', drop('pdfaType:type')],
  ['with a field of a type without a description', drop('pdfaField:description')],
])('reports an extension schema %s', (_, change) => {
  const isOtherPrefix = change(SCHEMA).includes('<e:');
  const declare = (schema: string) =>
    isOtherPrefix
      ? schema.replace('<e:schemas', '<e:schemas xmlns:e="http://www.aiim.org/pdfa/ns/extension/"')
      : schema;
  expect(violations((schema) => declare(change(schema)))).toEqual(['6.6.2.3.3']);
});

test('reports a property without an extension schema', () => {
  expect(violations(() => '')).toEqual(['6.6.2.3.1']);
});

test.each([
  ['a title without alternatives', '<dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">x</dc:title>'],
  [
    'creators in a bag',
    '<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Bag><rdf:li>x</rdf:li></rdf:Bag></dc:creator>',
  ],
  [
    'a list of producers',
    '<pdf:Producer xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><rdf:Seq><rdf:li>x</rdf:li></rdf:Seq></pdf:Producer>',
  ],
])('reports %s', (_, property) => {
  expect(violations((schema) => schema, property)).toEqual(['6.6.2.3.1']);
});
