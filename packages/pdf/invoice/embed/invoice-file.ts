import { profileRules, type InvoiceProfile } from '../profiles.ts';
import { addAttachments, listAttachments, removeAttachments } from '../../attachments/attachments.ts';
import { PdfDocument } from '../../objects/index.ts';

/** The XML of an invoice, to be embedded in a PDF (Factur-X 1.0, ZUGFeRD 2). */
export interface InvoiceFile {
  xml: Uint8Array;
  profile: InvoiceProfile;
}

/** The names of embedded invoices: of Factur-X, XRechnung, and ZUGFeRD 1 and 2.0. The first that a document has is its invoice. */
const NAMES = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml', 'ZUGFeRD-invoice.xml'] as const;

/** Attaches an invoice to a document, and replaces an invoice that it already has. */
export function attachInvoice(document: PdfDocument, { xml, profile }: InvoiceFile): Uint8Array {
  const { fileName, isComplete } = profileRules(profile);
  const old = invoiceNames(document);
  const cleaned = old.length > 0 ? PdfDocument.open(removeAttachments(document, old, 'pdf')) : document;
  const attachment = {
    name: fileName,
    data: Buffer.from(xml.buffer, xml.byteOffset, xml.length).toString('base64'),
    mimeType: 'text/xml',
    description: 'The invoice as data',
    relationship: isComplete ? ('alternative' as const) : ('data' as const),
  };
  return addAttachments(cleaned, [attachment], { field: 'pdf', now: Date.now() });
}

/** Returns the names of the embedded invoices of a document. */
export function invoiceNames(document: PdfDocument): string[] {
  const names = new Set(listAttachments(document).map(({ name }) => name));
  return NAMES.filter((name) => names.has(name));
}

const FX = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

const PROPERTIES = [
  ['DocumentFileName', 'The name of the embedded XML file'],
  ['DocumentType', 'The type of the hybrid document'],
  ['Version', 'The version of the standard'],
  ['ConformanceLevel', 'The profile of the invoice'],
] as const;

/** Returns the XMP descriptions of an embedded invoice: its properties, and the extension schema that declares them (Factur-X 1.0, 6.2.2). */
export function invoiceDescriptions({ profile }: Pick<InvoiceFile, 'profile'>): string[] {
  const { fileName, level } = profileRules(profile);
  const declared = PROPERTIES.map(
    ([property, description]) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${property}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  );
  return [
    `<rdf:Description rdf:about="" xmlns:fx="${FX}">
<fx:DocumentType>INVOICE</fx:DocumentType>
<fx:DocumentFileName>${fileName}</fx:DocumentFileName>
<fx:Version>${profile === 'xrechnung' ? '3.0' : '1.0'}</fx:Version>
<fx:ConformanceLevel>${level}</fx:ConformanceLevel>
</rdf:Description>`,
    `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${FX}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>${declared.join('')}</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`,
  ];
}
