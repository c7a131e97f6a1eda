/**
 * Handlebars for untrusted templates: helpers with checked arguments, errors with line and column, limited
 * output, and inspection, which lists variables and makes sample data.
 *
 * This module loads the Handlebars compiler, whose output is JavaScript code. Load it in a process that can
 * run out of time or memory without harm to others. `@platen/templates/check-data`,
 * `@platen/templates/labels`, `@platen/templates/parse-date`, `@platen/templates/page-variables` and
 * `@platen/templates/translation-names` do not load the compiler.
 * @module
 */
export {
  compileTemplate,
  inspectTemplate,
  parseTemplate,
  type CompiledTemplate,
  type CompileInput,
} from './templates.ts';
export { checkTranslations } from './translations/check-translations.ts';
export type { ReplacedLanguage, Translations } from './translations/language.ts';
export { listPartials } from './partials.ts';
export type { Result } from './fault.ts';
export type { TemplateInspection, TemplatePiece } from './inspection.ts';
export { usageOf } from './helpers/call.ts';
export type { HelperExample, TemplateHelper } from './helpers/definition.ts';
export { HELPER_GROUPS, TEMPLATE_HELPERS } from './helpers/helper-table.ts';
