/**
 * Reads XML: documents of invoices, XMP metadata and forms. It handles untrusted text and limits depth and
 * memory.
 * @module
 */
export { parseXml, type XmlElement } from './parse-xml.ts';
