import type { PdfDocument } from '@platen/pdf/objects';
import { readSimpleProperties } from '@platen/pdf/properties';
import { profileRules } from '@platen/einvoice/profiles';
import type { InvoiceFile } from './invoice-file.ts';

/** The XMP namespace of a format for PDFs with an embedded invoice. */
interface InvoiceNamespace {
  uri: string;
  /** The prefix in the names of claims, such as `factur-x` in `factur-x-en16931`. */
  name: string;
  /** The title of the extension schema. */
  schema: string;
}

const FACTUR_X: InvoiceNamespace = {
  uri: 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
  name: 'factur-x',
  schema: 'Factur-X PDFA Extension Schema',
};

/** The namespaces of Factur-X, which ZUGFeRD 2.1 and later also use, and of earlier versions of ZUGFeRD. */
export const INVOICE_NAMESPACES: readonly InvoiceNamespace[] = [
  FACTUR_X,
  {
    uri: 'urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#',
    name: 'zugferd-1',
    schema: 'ZUGFeRD PDFA Extension Schema',
  },
  {
    uri: 'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#',
    name: 'zugferd-2',
    schema: 'ZUGFeRD PDFA Extension Schema',
  },
];

/** The properties of the embedded invoice, in the order of the extension schema (Factur-X 1.0, 6.2.2). */
const PROPERTIES = [
  ['DocumentFileName', 'The name of the embedded XML file'],
  ['DocumentType', 'The type of the hybrid document'],
  ['Version', 'The version of the standard'],
  ['ConformanceLevel', 'The profile of the invoice'],
] as const;

/**
 * The XMP properties of a PDF with an embedded invoice. The values contain no characters that need escaping
 * in XML.
 */
export interface InvoiceProperties {
  namespace: InvoiceNamespace;
  values: ReadonlyMap<string, string>;
}

/** Returns the properties of an invoice that Platen embeds. */
export function invoiceProperties({
  profile,
  documentType = 'INVOICE',
  version = profile === 'xrechnung' ? '3.0' : '1.0',
}: Omit<InvoiceFile, 'xml'>): InvoiceProperties {
  const { fileName, level } = profileRules(profile);
  return {
    namespace: FACTUR_X,
    values: new Map([
      ['DocumentFileName', fileName],
      ['DocumentType', documentType],
      ['Version', version],
      ['ConformanceLevel', level],
    ]),
  };
}

/**
 * Reads the properties of the invoice that another program has embedded; `undefined` if one of them is absent
 * or malformed.
 */
export function readInvoiceProperties(document: PdfDocument): InvoiceProperties | undefined {
  const all = readSimpleProperties(document);
  for (const namespace of INVOICE_NAMESPACES) {
    const values = new Map<string, string>();
    for (const [property] of PROPERTIES) {
      const value = all?.get(`${namespace.uri} ${property}`)?.trim() ?? '';
      if (/^[\w .:/-]{1,100}$/.test(value)) values.set(property, value);
    }
    if (values.size === PROPERTIES.length) return { namespace, values };
  }
  return undefined;
}

/**
 * Returns the XMP descriptions of an embedded invoice: its properties, and the extension schema that declares
 * them.
 */
export function invoiceDescriptions({ namespace: { uri, schema }, values }: InvoiceProperties): string[] {
  const written = [...values].map(([property, value]) => `<fx:${property}>${value}</fx:${property}>`);
  const declared = PROPERTIES.map(
    ([property, description]) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${property}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  );
  return [
    `<rdf:Description rdf:about="" xmlns:fx="${uri}">
${written.join('\n')}
</rdf:Description>`,
    `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>${schema}</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${uri}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>${declared.join('')}</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`,
  ];
}
