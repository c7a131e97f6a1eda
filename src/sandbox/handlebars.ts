/** The tasks of templates, as the sandbox loads them. */
export { compileTemplate, inspectTemplate, parseTemplate } from '@platen/templates';
