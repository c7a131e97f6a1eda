/**
 * The values that other plugins import from the render plugin. The types are in `contract.ts`.
 * @module
 */
export { checkOptions } from './check-options.ts';
export { GENERATION, isDeleted } from './delete-generations.ts';
export { blankGeneration } from './generation.ts';
export { presentEvent } from './present.ts';
export { documentFields, FormatName, GenerateOptions } from './schemas.ts';
export { escapeText, MAX_SNIPPET_BOXES } from './snippet.ts';
