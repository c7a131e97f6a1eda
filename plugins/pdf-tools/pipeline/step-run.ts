import { AppError } from '../../../src/plugin.ts';
import type { MadePdf, FilesService } from '../../files/contract.ts';
import type { OperationInput } from '../operation.ts';
import type { PlannedStep } from './order.ts';

type LoadedPdf = Awaited<ReturnType<FilesService['load']>>;

/** The result of a step: a PDF with additional fields of the response, or another response. */
export type StepResult = { made: MadePdf; fields: object } | { answer: unknown };

/**
 * Runs the handler of an operation as a step. The handler validates its fields at once, and then waits for
 * its PDFs.
 */
export class StepRun {
  readonly #supply = Promise.withResolvers<void>();
  readonly #asked = Promise.withResolvers<void>();
  readonly #result: Promise<StepResult>;
  /**
   * The received PDFs, until the handler asks for them. They are not kept, because each can have many
   * megabytes.
   */
  #received: readonly LoadedPdf[] = [];

  constructor(
    { kind, fields }: PlannedStep,
    { input, files }: { input: OperationInput<object>; files: FilesService },
  ) {
    let made: MadePdf | undefined;
    let extra: object = {};
    let count = 0;
    const receive = async () => {
      this.#asked.resolve();
      await this.#supply.promise;
      const received = this.#received;
      this.#received = [];
      count = received.length;
      return received;
    };
    const ofStep: FilesService = {
      ...files,
      load: async () => {
        const [pdf] = await receive();
        if (pdf === undefined) throw new Error('a step received no PDF');
        return pdf;
      },
      loadAll: async ({ body: { pdfs } }) => {
        const additional: LoadedPdf[] = [];
        for (const [index, pdf] of pdfs.entries())
          additional.push(await files.loadField(input, `pdfs[${index}]`, pdf));
        return [...(await receive()), ...additional];
      },
      deliver: async (_, { pdf, pages, claims = [], isMarked = false, fields: more = {} }) => {
        made = { pdf, pages, claims, isMarked };
        extra = more;
        // The handler returns this as its response, and the pipeline does not send it.
        return new Response();
      },
    };
    const handler = kind.bind(ofStep);
    // The schema of the route requires its PDFs, and the handler passes them to `load` or `loadAll`.
    const pdfFields = kind.takes.most === 1 ? { pdf: '' } : { pdfs: fields['pdfs'] ?? [] };
    const run = async () => handler({ ...input, body: { ...input.body, ...fields, ...pdfFields } });
    this.#result = run().then(
      (answer) => (made ? { made, fields: extra } : { answer }),
      (error: unknown) => {
        throw fields['pdfs'] === undefined ? error : nameOwnPdfs(error, count);
      },
    );
    this.#supply.promise.catch(() => {});
    this.#result.catch(() => {});
  }

  /** Resolves when the handler waits for its PDFs. Rejects when it has rejected its fields. */
  async ready(): Promise<void> {
    await Promise.race([this.#asked.promise, this.#result]);
  }

  /** Gives the PDFs to the handler. Resolves with the result of the step. */
  async run(pdfs: readonly LoadedPdf[]): Promise<StepResult> {
    this.#received = pdfs;
    this.#supply.resolve();
    return this.#result;
  }

  /** Ends a handler that waits for its PDFs. */
  cancel(): void {
    this.#supply.reject(new Error('an earlier step failed'));
  }
}

/**
 * Renames the paths of PDFs in an error of a step with the field `pdfs`. A received PDF becomes `pdf`, and
 * `pdfs[0]` denotes the first PDF of the field.
 */
function nameOwnPdfs(error: unknown, received: number): unknown {
  if (!(error instanceof AppError)) return error;
  const rename = (path: string) => {
    const [, digits] = /^pdfs\[(\d{1,4})\]$/.exec(path) ?? [];
    if (digits === undefined) return path;
    const index = Number(digits) - received;
    return index < 0 ? 'pdf' : `pdfs[${index}]`;
  };
  const { code, message, cause, retryAfterSeconds } = error;
  return new AppError(code, message, {
    details: error.details.map((detail) => ({ ...detail, path: rename(detail.path) })),
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/**
 * Names the step in an error: the field `opacity` of the third step is `steps.2.opacity`. Other errors stay
 * as they are.
 */
export function nameStep(error: unknown, index: number): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, cause, retryAfterSeconds } = error;
  const step = `steps.${index}`;
  const details = error.details.map((detail) => ({
    ...detail,
    path: detail.path === '' ? step : `${step}.${detail.path}`,
  }));
  const [first] = details;
  return new AppError(code, first ? `${first.path}: ${first.message}` : `${step}: ${message}`, {
    details,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
