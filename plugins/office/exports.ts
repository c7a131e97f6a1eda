/**
 * The values that other plugins import from the office plugin: the fields of a conversion, for requests that
 * contain one.
 * @module
 */
export type * from './contract.ts';
export { conversionFields, readOptions } from './schemas.ts';
