/**
 * The values that other plugins import from the render plugin. The types are in `contract.ts`.
 * @module
 */
export { hasExpired, isDeleted, removeFromMessage } from './generations/delete-generations.ts';
export { presentEvent, presentGenerated, presentGeneration } from './generations/present.ts';
export { sendGenerated } from './routes.ts';
export { readLocale, readSource } from './source/read-source.ts';
export { readTranslations } from './source/read-translations.ts';
