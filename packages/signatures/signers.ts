/**
 * The signature fields of a file, their byte ranges and their signers, without a verification.
 * @module
 */
export { readSigners } from './cms/read-signers.ts';
export { readCoverage } from './verify/byte-range.ts';
export { listSignedFields } from './verify/signature-fields.ts';
