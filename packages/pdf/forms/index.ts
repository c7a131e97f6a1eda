/**
 * Fields of forms, and their appearances.
 * @module
 */
export { FieldNames, FieldTree } from './add/field-tree.ts';
export { saveWithWidgets } from './add/save.ts';
export { tagWidgets } from './add/structure.ts';
export type { BrowserText } from './appearance/browser-text.ts';
export { drawForm, UndrawnTextError } from './appearance/draw-form.ts';
export type { Field, Widget } from './fields/field.ts';
export { type Form, readForm } from './fields/read-fields.ts';
export { locksField, readSignatures } from './fields/signatures.ts';
export { removeSignatures } from './flatten/remove-signatures.ts';
