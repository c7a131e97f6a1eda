/** The tasks of templates, as the tool process loads them. */
export { compileTemplate, inspectTemplate, parseTemplate } from '@platen/templates';
