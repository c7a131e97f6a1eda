/**
 * Writing a document with changes: as a new file, or as an update of a signed or encrypted file.
 * @module
 */
export { pageTreeOf, writeEdits } from './edit.ts';
export { type Change, DOCUMENT_CHANGE, requirePermission } from './permission.ts';
export { isSigned } from './signed.ts';
