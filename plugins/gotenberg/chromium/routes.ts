import type { PdfToolsService } from '../../pdf-tools/contract.ts';
import { file, files, text } from '../form/fields.ts';
import type { Form, FormFile } from '../form/form.ts';
import type { FormRoutes } from '../form-route.ts';
import { convertFields, createConversion } from './convert.ts';
import { decodeHtml, readPageUrl, siblingsOf, withRelativeUrls } from './documents.ts';
import { screenshotFields } from './fields.ts';
import { fillTemplate } from './markdown.ts';
import { createChromium, type ChromiumParts, type PageSource } from './print.ts';

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

/** Mounts the routes that print and capture documents. */
export function addChromiumRoutes(
  routes: FormRoutes,
  { tools, ...parts }: ChromiumParts & { tools: PdfToolsService | undefined },
): void {
  const { render } = parts;
  const chromium = createChromium(parts);

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

  const convert = createConversion(chromium, tools);

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

async function toSource(html: string, form: Form): Promise<PageSource> {
  const siblings = siblingsOf(form.files);
  return { html: await withRelativeUrls(html, new Set(siblings.keys())), siblings };
}
