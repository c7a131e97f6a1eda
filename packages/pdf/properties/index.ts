/**
 * Title, author and other properties, in the information dictionary and in XMP metadata.
 * @module
 */
export { buildInfo, readDocumentInfo, type RequestedMetadata } from './document-info.ts';
export { readSimpleProperties } from './simple-properties.ts';
export { writeXmp } from './xmp-properties.ts';
export { buildXmp, metadataStream } from './xmp.ts';
