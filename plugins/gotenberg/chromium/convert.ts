import { AppError } from '../../../src/plugin.ts';
import type { PdfToolsService } from '../../pdf-tools/contract.ts';
import type { FormCall } from '../form-route.ts';
import { processingFields, splitFields } from '../pdf-engines/fields.ts';
import { processPdfs } from '../pdf-engines/post-process.ts';
import type { Processing } from '../pdf-engines/processing.ts';
import { readProcessing, readSplit } from '../pdf-engines/read-processing.ts';
import { outputOf } from '../pdf-engines/routes.ts';
import type { OutputFile } from '../respond.ts';
import { printFields } from './fields.ts';
import type { Chromium, PageSource } from './print.ts';

/** The fields of the routes that make a PDF. */
export const convertFields = { ...printFields, ...splitFields(false), ...processingFields };

/** A request to a route that makes a PDF. */
type ConvertCall = FormCall<typeof convertFields>;

/** Prints a document, and does with the PDF what the form asks for. */
export type Convert = (
  call: ConvertCall,
  readSource: () => PageSource | Promise<PageSource>,
) => Promise<OutputFile[]>;

/** Creates the conversion. Without `tools`, nothing can be done with the printed PDF. */
export function createConversion(chromium: Chromium, tools: PdfToolsService | undefined): Convert {
  return async (call, readSource) => {
    const work = readWork(call);
    const name = `${call.outputName}.pdf`;
    if (work && !tools)
      throw new AppError('NOT_IMPLEMENTED', 'The plugin "pdf-tools", which changes PDFs, is off.');
    const source = await readSource();
    const print = (process?: (pdf: Uint8Array) => Promise<Uint8Array>) =>
      chromium.print(call, source, call.values, { isTagged: work?.pdfua === true, process });
    if (!work || !tools) return outputOf([{ name, pdf: await print() }]);
    const processAll = (pdf: Uint8Array) => processPdfs({ caller: call, tools }, [{ name, pdf }], work);
    // The history keeps one PDF, so the parts of a split are made of the recorded one.
    if (work.split) return outputOf(await processAll(await print()));
    const processed = await print(async (printed) => {
      const [result] = await processAll(printed);
      if (!result) throw new Error('the processing gave no PDF');
      return result.pdf;
    });
    return outputOf([{ name, pdf: processed }]);
  };
}

/** Reads the work on the printed PDF; `undefined` if the form asks for none. */
function readWork({ values, form }: ConvertCall): Processing | undefined {
  const work = { ...readProcessing({ ...values, flatten: false }, form), split: readSplit(values) };
  const isIdle = (part: unknown) =>
    part === undefined || part === '' || part === false || (Array.isArray(part) && part.length === 0);
  return Object.values(work).every(isIdle) ? undefined : work;
}
