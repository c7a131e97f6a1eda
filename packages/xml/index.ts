/**
 * Reads XML: documents of invoices, XMP metadata, forms and office files. It handles untrusted text and
 * limits depth and memory.
 * @module
 */
export { parseXml, type XmlElement } from './parse-xml.ts';
export {
  decodeXml,
  encodeXml,
  readTree,
  writeTree,
  XmlFault,
  type TreeElement,
  type TreeNode,
} from './xml-tree.ts';
