/**
 * The values that other plugins import from the forms plugin. The types are in `contract.ts`.
 * @module
 */
export { runFormTask } from './draw-texts.ts';
