import type { PdfFiles, Routes, Sandbox } from '../../src/plugin.ts';
import type { RenderService } from '../render/contract.ts';

/** The parts of the service that operations use. */
export interface OperationContext {
  routes: Routes;
  sandbox: Sandbox;
  pdfFiles: PdfFiles;
  /** The plugin `render`, or `undefined` if it is off. */
  render: RenderService | undefined;
  /** Whether PDFs can be protected. */
  mayProtect: boolean;
}

/** Registers the route of one operation. */
export type Operation = (context: OperationContext) => void;
