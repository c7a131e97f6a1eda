/** The service of the plugin. */
export interface PdfToolsService {
  /** Whether the operator allows PDFs to be protected with passwords. */
  readonly mayProtect: boolean;
  /** Whether the operator has configured a time stamping authority, which signatures above B-B need. */
  readonly hasTimestamps: boolean;
}

declare module '../../src/plugin.ts' {
  interface Services {
    'pdf-tools': PdfToolsService;
  }
}
