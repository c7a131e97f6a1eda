/**
 * The values that other plugins import from the files plugin. Built-in plugins import the types from
 * `contract.ts`; plugins outside the tree import both as `platen/files`.
 * @module
 */
export type * from './contract.ts';
export { chooseOutput } from './deliver.ts';
export { TEST_MARK_STEP } from './test-mark/test-mark.ts';
export { PAGE_IMAGE_ROUTE } from './page-images.ts';
export {
  ONE_PDF_BODY_BYTES,
  optionalPdfProperties,
  OutputChoice,
  PdfResponse,
  pdfResponseProperties,
  PdfInput,
  pdfTaskLimits,
  unwrapTaskResult,
} from './pdf-output.ts';
export {
  createProof,
  presentOptionalProof,
  presentProof,
  ProofResponse,
  proofExample,
} from './proof/proof.ts';
export { createClaimChecks, ProvenanceDraft } from './proof/provenance-draft.ts';
export {
  isExpired,
  NO_PROPERTIES,
  ofMode,
  presentResultProperties,
  referenceFilter,
  resultResponseProperties,
  resultFields,
  testFilter,
  unexpired,
} from './result-properties.ts';
