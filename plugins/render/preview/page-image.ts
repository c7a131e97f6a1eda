import { type Sandbox } from '../../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../../files/exports.ts';

/** Draws a page of a PDF as a PNG. `page` is its index, from 0. */
export type DrawPage = (pdf: Uint8Array, page: number) => Promise<Uint8Array>;

const DPI = 144;
/** A bitmap of this size takes 64 MiB in the sandbox. */
const MAX_SIDE_PX = 4_096;

/** Creates the function that draws pages in the sandbox. */
export function createPageDrawing(sandbox: Sandbox): DrawPage {
  const tasks = sandbox.load<typeof import('@platen/pdf/images-task')>(
    new URL(import.meta.resolve('@platen/pdf/images-task')),
  );
  return (pdf, page) =>
    unwrapTaskResult('page', tasks.drawPage({ pdf, page, dpi: DPI, maxSidePx: MAX_SIDE_PX }, pdfTaskLimits));
}
