import type { TaskClient } from '../../src/plugin.ts';

export type { OfficeOptions, OfficeView, OfficeWatermark } from './conversion-options.ts';
export type { GenerateOptions } from './options.ts';
export type { PdfaLevel } from './pdfa-level.ts';
export type { ProtectionSetting } from './protect.ts';
export type { DocumentSigner, SignatureOption, SignatureSetting, SignPdf } from './signature.ts';
export type { SnippetBox } from './snippet-box.ts';
export type { SourceFields } from './source-fields.ts';
export type { Category } from './templates.ts';
export type { MarkSetup, NameField, WatermarkFields } from './watermark.ts';

/** The Handlebars tasks, which run in the sandbox. */
export type Handlebars = TaskClient<typeof import('./tasks.ts')>;

/** The service of the documents plugin. */
export interface DocumentsService {
  /** Parses and renders Handlebars templates in the sandbox. */
  readonly handlebars: Handlebars;
}

declare module '../../src/plugin.ts' {
  interface Services {
    documents: DocumentsService;
  }
}
