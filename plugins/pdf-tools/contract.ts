/** The service of the plugin. */
export interface PdfToolsService {
  /** Whether the operator allows PDFs to be protected with passwords. */
  readonly mayProtect: boolean;
}

declare module '../../src/plugin.ts' {
  interface Services {
    'pdf-tools': PdfToolsService;
  }
}
