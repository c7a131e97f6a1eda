import { AppError } from '../../../src/plugin.ts';
import type { PdfToolsService } from '../../pdf-tools/contract.ts';
import type { RenderService } from '../../render/contract.ts';
import { file, files, text } from '../form/fields.ts';
import type { Form, FormFile } from '../form/form.ts';
import type { FormCall, FormRoutes } from '../form-route.ts';
import { processingFields, splitFields } from '../pdf-engines/fields.ts';
import { processPdfs } from '../pdf-engines/post-process.ts';
import type { Engines, Processing } from '../pdf-engines/processing.ts';
import { readProcessing, readSplit } from '../pdf-engines/read-processing.ts';
import { outputOf } from '../pdf-engines/routes.ts';
import type { OutputFile } from '../respond.ts';
import type { Settings } from '../settings.ts';
import { decodeHtml, readPageUrl, siblingsOf, withRelativeUrls } from './documents.ts';
import { printFields, screenshotFields } from './fields.ts';
import { fillTemplate } from './markdown.ts';
import { createChromium, type PageSource } from './print.ts';

const indexFile = file({
  name: 'index.html',
  required: true,
  description:
    'index.html is the document, and the other files are its images, styles, fonts and scripts, to which it refers by their names.',
});

const markdownFiles = files({
  extensions: ['.md'],
  required: true,
  description: 'The files with the extension .md, which index.html shows by {{ toHTML "page.md" }}.',
});

const pageUrl = text({ required: true, description: 'The http or https URL of the web page.' });

/** The fields of each kind of source. */
const htmlFields = { indexFile };
const markdownFields = { indexFile, markdownFiles };
const urlFields = { url: pageUrl };

/** The fields of the routes that make a PDF. */
const convertFields = { ...printFields, ...splitFields(false), ...processingFields };

/** Mounts the routes that print and capture documents. */
export function addChromiumRoutes(
  routes: FormRoutes,
  {
    render,
    tools,
    settings,
  }: { render: RenderService; tools: PdfToolsService | undefined; settings: Settings },
): void {
  const chromium = createChromium(render, settings);

  const readHtml = async ({ indexFile: index }: { indexFile: FormFile }, form: Form) =>
    toSource(await decodeHtml(index.content), form);
  const readMarkdown = async (
    values: { indexFile: FormFile; markdownFiles: readonly FormFile[] },
    form: Form,
  ) => {
    const template = await decodeHtml(values.indexFile.content);
    const toHtml = (markdown: string) => render.renderMarkdown(markdown);
    return toSource(await fillTemplate(template, values.markdownFiles, toHtml), form);
  };
  const readUrl = ({ url }: { url: string }): PageSource => ({ url: readPageUrl(url) });

  const common = { scope: 'generate', usesQuota: true } as const;
  const pdf = { ...common, mediaTypes: ['application/pdf', 'application/zip'] };
  const image = { ...common, mediaTypes: ['image/png', 'image/jpeg', 'image/webp'] };

  /** Prints a document, and does with the PDF what the form asks for. */
  const convert = async (
    call: FormCall<typeof convertFields>,
    source: () => PageSource | Promise<PageSource>,
  ): Promise<OutputFile[]> => {
    const processing = readWork(call);
    const name = `${call.outputName}.pdf`;
    if (!processing)
      return outputOf([{ name, pdf: await chromium.print(call, await source(), call.values) }]);
    const engines = enginesOf(call, tools);
    const { split, ...work } = processing;
    const isTagged = processing.pdfua === true;
    // The history keeps one PDF, so the parts of a split are made of the recorded one.
    if (split) {
      const pdf = await chromium.print(call, await source(), call.values, {
        isTagged,
        process: async (printed) => printed,
      });
      return outputOf(await processPdfs(engines, [{ name, pdf }], processing));
    }
    const process = async (printed: Uint8Array): Promise<Uint8Array> => {
      const [result] = await processPdfs(engines, [{ name, pdf: printed }], work);
      if (!result) throw new Error('the processing gave no PDF');
      return result.pdf;
    };
    return outputOf([
      { name, pdf: await chromium.print(call, await source(), call.values, { isTagged, process }) },
    ]);
  };

  routes.add({
    ...pdf,
    path: 'forms/chromium/convert/html',
    summary: 'Convert HTML to PDF',
    operationId: 'gotenbergConvertHtml',
    fields: { ...convertFields, ...htmlFields },
    handle: (call) => convert(call, () => readHtml(call.values, call.form)),
  });
  routes.add({
    ...pdf,
    path: 'forms/chromium/convert/markdown',
    summary: 'Convert Markdown to PDF',
    operationId: 'gotenbergConvertMarkdown',
    fields: { ...convertFields, ...markdownFields },
    handle: (call) => convert(call, () => readMarkdown(call.values, call.form)),
  });
  routes.add({
    ...pdf,
    path: 'forms/chromium/convert/url',
    summary: 'Convert a web page to PDF',
    operationId: 'gotenbergConvertUrl',
    fields: { ...convertFields, ...urlFields },
    handle: (call) => convert(call, () => readUrl(call.values)),
  });
  routes.add({
    ...image,
    path: 'forms/chromium/screenshot/html',
    summary: 'Convert HTML to an image',
    operationId: 'gotenbergScreenshotHtml',
    fields: { ...screenshotFields, ...htmlFields },
    async handle(call) {
      return [await chromium.capture(call, await readHtml(call.values, call.form), call.values)];
    },
  });
  routes.add({
    ...image,
    path: 'forms/chromium/screenshot/markdown',
    summary: 'Convert Markdown to an image',
    operationId: 'gotenbergScreenshotMarkdown',
    fields: { ...screenshotFields, ...markdownFields },
    async handle(call) {
      return [await chromium.capture(call, await readMarkdown(call.values, call.form), call.values)];
    },
  });
  routes.add({
    ...image,
    path: 'forms/chromium/screenshot/url',
    summary: 'Convert a web page to an image',
    operationId: 'gotenbergScreenshotUrl',
    fields: { ...screenshotFields, ...urlFields },
    async handle(call) {
      return [await chromium.capture(call, readUrl(call.values), call.values)];
    },
  });
}

function toSource(html: string, form: Form): PageSource {
  const siblings = siblingsOf(form.files);
  return { html: withRelativeUrls(html, new Set(siblings.keys())), siblings };
}

/** Reads the work on the printed PDF; `undefined` if the form asks for none. */
function readWork({ values, form }: FormCall<typeof convertFields>): Processing | undefined {
  const work = { ...readProcessing({ ...values, flatten: false }, form), split: readSplit(values) };
  const isWork = Object.values(work).some(
    (part) =>
      part !== undefined && part !== '' && part !== false && !(Array.isArray(part) && part.length === 0),
  );
  return isWork ? work : undefined;
}

/** @throws {AppError} NOT_IMPLEMENTED without the plugin that works on PDFs */
function enginesOf(call: FormCall<typeof convertFields>, tools: PdfToolsService | undefined): Engines {
  if (tools) return { caller: call, tools };
  throw new AppError('NOT_IMPLEMENTED', 'The plugin "pdf-tools", which changes PDFs, is off.');
}
