import { FilesUnavailableError, type FileStore, type Handlebars, type Urgency } from '../../src/plugin.ts';
import type { TemplateSource } from '../templates/contract.ts';
import type { DocumentRequest, Generation } from './contract.ts';
import type { ConvertToPdfa } from './pdfa.ts';
import type { PrintSetup } from './print-options.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import { RenderError } from './render-error.ts';
import type { Renderer } from './renderer.ts';
import { resolveSource } from './source.ts';

/** What a PDF is made with. */
export interface ProducerParts {
  renderer: Renderer;
  convertToPdfa: ConvertToPdfa;
  templates: TemplateSource | undefined;
  handlebars: Handlebars;
  files: FileStore;
}

/** For whom a PDF is made, how it lies on paper, the id of its file, and where to note what happens. */
export interface Work {
  accountId: string;
  urgency: Urgency;
  setup: PrintSetup;
  fileId: string;
  /** `undefined` where none is wanted. */
  receipt: ReceiptDraft | undefined;
}

/** A PDF that is stored. */
export type Product = Pick<Generation, 'fileId' | 'pages' | 'sizeBytes'>;

/** Makes a PDF of a request and stores it. */
export type Produce = (request: DocumentRequest, work: Work) => Promise<Product>;

/** Makes the one way from a request to a stored PDF, for callers and batches alike. */
export function createProducer({ renderer, convertToPdfa, files, ...source }: ProducerParts): Produce {
  return async (request, { accountId, urgency, setup, fileId, receipt }) => {
    receipt?.clock.enter('template');
    const { document, header, footer } = await resolveSource({ ...request, accountId }, source, (faults) =>
      receipt?.noteMismatches(faults),
    );
    receipt?.clock.enter('queue');
    const { strict } = request.options ?? {};
    const whole = { ...setup, header, footer };
    const printed = await renderer.print({ accountId, urgency, document, setup: whole, strict, receipt });
    try {
      let { pdf } = printed;
      if (request.options?.pdfa === true) {
        receipt?.clock.enter('archive');
        pdf = await convertToPdfa(pdf);
      }
      receipt?.clock.enter('store');
      const sizeBytes = await files.put(fileId, pdf).catch((error: unknown) => {
        // A file store that is away is the service's state, not this document's.
        if (error instanceof FilesUnavailableError) throw error;
        throw new RenderError('STORAGE_ERROR', 'the PDF could not be stored', error);
      });
      return { fileId, pages: printed.pages, sizeBytes };
    } finally {
      printed.release();
    }
  };
}
