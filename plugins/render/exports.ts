/**
 * The values that other plugins import from the render plugin. The types are in `contract.ts`.
 * @module
 */
export {
  DELETED_ITEM,
  GENERATION,
  hasExpired,
  isDeleted,
  removeFromMessage,
} from './generations/delete-generations.ts';
export { blankGeneration } from './generations/generation.ts';
export { presentEvent, presentGenerated } from './generations/present.ts';
export { sendGenerated } from './routes.ts';
export { readSource } from './source/read-source.ts';
