/**
 * The mark of documents and images that were made for tests.
 * @module
 */
export { markAsTest } from './mark-document.ts';
export { markImageAsTest, type MarkedImageFormat } from './mark-image.ts';
