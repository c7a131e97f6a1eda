import {
  AppError,
  invalid,
  pdfTaskLimits,
  unwrapTaskResult,
  type MadePdf,
  type PdfFiles,
  type TaskClient,
} from '../../../src/plugin.ts';
import type { Certification } from '@platen/pdf';
import type { RenderService } from '../../render/contract.ts';
import type { FindSigner, Signer } from './signer.ts';
import { drawStamp, type StampText } from './stamp.ts';

/** The levels of PAdES baseline signatures (ETSI EN 319 142-1), in ascending order. */
export const LEVELS = ['b-b', 'b-t', 'b-lt', 'b-lta'] as const;

/** A level of a PAdES baseline signature. */
export type Level = (typeof LEVELS)[number];

/** A cryptographic signature to add to a PDF. The paths of errors are those of the fields in a request. */
export interface SignatureOrder {
  accountId: string;
  pdf: Awaited<ReturnType<PdfFiles['load']>>;
  signer: Signer;
  level: Level;
  certify: Certification | null;
  /** The name of the signature field; `undefined` for a new one. */
  field: string | undefined;
  text: StampText;
  /** Where the signature is shown; `undefined` for an invisible one. */
  visible: { page: unknown; x: number; y: number; width: number; height: number } | undefined;
}

/** A signed PDF. */
export interface SignedPdf extends MadePdf {
  /** The name of the signature field. */
  field: string;
}

/** Signs PDFs with certificates. */
export interface Signing {
  findSigner: FindSigner;
  /** Checks that the service can reach a level. @throws {AppError} VALIDATION_ERROR that names `level` */
  requireLevel(level: Level): void;
  /** @throws {AppError} VALIDATION_ERROR that names a field; UNAVAILABLE when a signer or a timestamp authority does not answer */
  sign(order: SignatureOrder): Promise<SignedPdf>;
}

/** Creates the service that signs PDFs. */
export function createSigning({
  tasks,
  render,
  findSigner,
}: {
  tasks: TaskClient<typeof import('./task.ts')>;
  render: RenderService | undefined;
  findSigner: FindSigner;
}): Signing {
  async function drawAppearance({ accountId, pdf, field, text, visible }: SignatureOrder, at: number) {
    if (!visible) return undefined;
    if (!render)
      throw new AppError('NOT_IMPLEMENTED', 'a visible signature needs the plugin "render", which is off');
    const { page, ...box } = visible;
    const own =
      field === undefined
        ? null
        : await unwrapTaskResult('pdf', tasks.measureField({ pdf, field }, pdfTaskLimits));
    return { page, box, drawn: await drawStamp(render, { accountId, text, at, size: own ?? box }) };
  }

  return {
    findSigner,
    requireLevel(level) {
      if (level !== 'b-b')
        throw invalid(
          'level',
          `${level} needs a timestamp authority, which the operator sets with plugins.pdf-tools.tsaUrl. Use b-b`,
        );
    },
    async sign(order) {
      const { signer, text, certify, field } = order;
      const at = Date.now();
      const appearance = await drawAppearance(order, at);
      const certificates = { certificate: signer.certificate, chain: signer.chain };
      const request = {
        ...certificates,
        pdf: order.pdf,
        field,
        appearance,
        signer: text.name,
        reason: text.reason,
        location: text.location,
        contact: text.contact,
        at,
        certify: certify ?? undefined,
        timestampBytes: 0,
      };
      const prepared = await unwrapTaskResult('pdf', tasks.prepare(request, pdfTaskLimits));
      const { attributes, offset, digits, pages } = prepared;
      const signature = await signer.sign(attributes);
      const hex = await unwrapTaskResult(
        'certificate',
        tasks.encode({ ...certificates, attributes, signature, digits }, pdfTaskLimits),
      );
      const pdf = Buffer.from(prepared.pdf.buffer, prepared.pdf.byteOffset, prepared.pdf.length);
      pdf.write(hex, offset, 'latin1');
      return { pdf, pages, field: prepared.field };
    },
  };
}
