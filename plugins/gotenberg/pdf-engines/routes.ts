import { AppError, type Sandbox } from '../../../src/plugin.ts';
import type { PdfToolsService } from '../../pdf-tools/contract.ts';
import type { FormCall, FormRoutes } from '../form-route.ts';
import type { Fields } from '../form/fields.ts';
import type { OutputFile } from '../respond.ts';
import {
  bookmarksField,
  embedFields,
  encryptFields,
  facturXFields,
  flattenField,
  formatFields,
  markFields,
  metadataField,
  optimizeFields,
  pdfFiles,
  processingFields,
  rotationFields,
  splitFields,
} from './fields.ts';
import { mergeFields, mergedBookmarks } from './merge.ts';
import { mergePdfs, processPdfs, readWith } from './post-process.ts';
import type { Engines, NamedPdf, Processing } from './processing.ts';
import {
  readEmbeds,
  readEncryption,
  readFacturX,
  readMarks,
  readProcessing,
  readSplit,
} from './read-processing.ts';

const PDF = 'application/pdf';
const PDF_OR_ZIP = [PDF, 'application/zip'];

/** Returns results as files of a response. */
export function outputOf(pdfs: readonly NamedPdf[]): OutputFile[] {
  return pdfs.map(({ name, pdf }) => ({ name, mediaType: PDF, content: pdf }));
}

/** Returns the uploaded PDFs. */
function uploaded({ files }: { files: readonly { name: string; content: Uint8Array }[] }): NamedPdf[] {
  return files.map(({ name, content }) => ({ name, pdf: content }));
}

/** A route that does one thing with each PDF. */
interface ProcessingRoute<F extends Fields> {
  name: string;
  summary: string;
  fields: F;
  read: (call: FormCall<F & { files: typeof pdfFiles }>) => Processing;
}

/** Adds the routes below `forms/pdfengines/`. */
export function addPdfEngineRoutes(
  routes: FormRoutes,
  { tools, sandbox }: { tools: PdfToolsService; sandbox: Sandbox },
): void {
  const tasks = sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
  const engines = (call: FormCall<Fields>): Engines => ({ caller: call, tools });
  const common = (name: string, summary: string) => ({
    path: `forms/pdfengines/${name}` as const,
    scope: 'pdf' as const,
    summary,
    operationId: `gotenberg${name.replace('-', '').split('/').map(capitalized).join('')}`,
    mediaTypes: PDF_OR_ZIP,
  });

  const addProcessing = <F extends Fields>({ name, summary, fields, read }: ProcessingRoute<F>) =>
    routes.add({
      ...common(name, summary),
      fields: { ...fields, files: pdfFiles },
      handle: async (call) => {
        const { files } = call.values as { files: Parameters<typeof uploaded>[0]['files'] };
        return outputOf(await processPdfs(engines(call), uploaded({ files }), read(call)));
      },
    });

  routes.add({
    ...common('merge', 'Merge PDFs'),
    fields: { ...processingFields, files: pdfFiles, flatten: flattenField, ...mergeFields },
    async handle(call) {
      const processing = readProcessing(call.values, call.form);
      const pdfs = uploaded(call.values);
      const merged = { name: `${crypto.randomUUID()}.pdf`, pdf: await mergePdfs(engines(call), pdfs) };
      const bookmarks = await mergedBookmarks(engines(call), { pdfs, values: call.values, tasks });
      return outputOf(await processPdfs(engines(call), [merged], { ...processing, bookmarks }));
    },
  });

  addProcessing({
    name: 'split',
    summary: 'Split PDFs',
    fields: { ...splitFields(true), ...processingFields, flatten: flattenField },
    read: ({ values, form }) => ({ ...readProcessing(values, form), split: readSplit(values) }),
  });
  addProcessing({
    name: 'flatten',
    summary: 'Flatten PDFs',
    fields: {},
    read: () => ({ flatten: true }),
  });
  addProcessing({
    name: 'optimize',
    summary: 'Compress the images of PDFs',
    fields: { imageQuality: optimizeFields.imageQuality },
    read: ({ values }) => ({ imageQuality: values.imageQuality }),
  });
  addProcessing({
    name: 'convert',
    summary: 'Convert PDFs to PDF/A and PDF/UA',
    fields: formatFields,
    read({ values: { pdfa, pdfua } }) {
      if (pdfa === '' && !pdfua) throw failed("either 'pdfa' or 'pdfua' form fields must be provided");
      return { pdfa, pdfua };
    },
  });
  addProcessing({
    name: 'metadata/write',
    summary: 'Write the metadata of PDFs',
    fields: { metadata: metadataField(true) },
    read: ({ values: { metadata } }) => ({ metadata }),
  });
  addProcessing({
    name: 'bookmarks/write',
    summary: 'Write the bookmarks of PDFs',
    fields: { bookmarks: bookmarksField(true) },
    read: ({ values: { bookmarks } }) => ({ bookmarks }),
  });
  addProcessing({
    name: 'encrypt',
    summary: 'Encrypt PDFs',
    fields: encryptFields,
    read({ values }) {
      const { userPassword, ownerPassword } = values;
      if (userPassword === '' && ownerPassword === '')
        throw failed("a 'userPassword' or 'ownerPassword' is required");
      return { encryption: readEncryption(values) };
    },
  });
  addProcessing({
    name: 'embed',
    summary: 'Embed files in PDFs',
    fields: { ...embedFields, ...facturXFields },
    read: ({ values }) => ({ embeds: readEmbeds(values), facturX: readFacturX(values) }),
  });
  for (const kind of ['watermark', 'stamp'] as const)
    addProcessing({
      name: kind,
      summary: kind === 'stamp' ? 'Stamp PDFs' : 'Draw a watermark on PDFs',
      fields: markFields(kind),
      read({ form }) {
        const marks = readMarks(form, kind);
        if (marks.length === 0) throw failed(`form field '${kind}Source' is required`);
        return kind === 'stamp' ? { stamps: marks } : { watermarks: marks };
      },
    });
  addProcessing({
    name: 'rotate',
    summary: 'Rotate the pages of PDFs',
    fields: rotationFields(true),
    read: ({ values: { rotateAngle: angle, rotatePages: pages } }) => ({
      rotation: angle === 0 ? undefined : { angle, pages },
    }),
  });
  addProcessing({
    name: 'factur-x',
    summary: 'Embed invoices in PDFs',
    fields: { ...formatFields, ...facturXFields },
    read({ values }) {
      if (values.facturxConformanceLevel === '' || values.facturxXml.length === 0)
        throw failed("'facturxConformanceLevel' and 'facturxXml' are both required");
      const facturX = readFacturX(values);
      const { pdfa, pdfua } = values;
      if (pdfa !== '' && !/^PDF\/A-3[abu]$/.test(pdfa))
        throw failed(`Factur-X requires a PDF/A-3 variant (PDF/A-3a, PDF/A-3b, or PDF/A-3u), got '${pdfa}'`);
      return { pdfa, pdfua, facturX };
    },
  });

  routes.add({
    ...common('metadata/read', 'Read the metadata of PDFs'),
    mediaTypes: ['application/json'],
    fields: { files: pdfFiles },
    async handle(call) {
      const files = [];
      for (const pdf of uploaded(call.values)) {
        const properties = await readWith(engines(call), pdf, 'properties');
        files.push({ name: pdf.name, properties, info: await readWith(engines(call), pdf, 'info') });
      }
      return { json: await tasks.presentMetadata({ files }) };
    },
  });
  routes.add({
    ...common('bookmarks/read', 'Read the bookmarks of PDFs'),
    mediaTypes: ['application/json'],
    fields: { files: pdfFiles },
    async handle(call) {
      const files = [];
      for (const pdf of uploaded(call.values))
        files.push({ name: pdf.name, outline: await readWith(engines(call), pdf, 'outline') });
      return { json: await tasks.presentBookmarks({ files }) };
    },
  });
}

function failed(message: string): AppError {
  return new AppError('VALIDATION_ERROR', `Invalid form data: ${message}`);
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
