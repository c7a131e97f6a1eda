import { AppError, invalid, type TaskClient } from '../../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../../files/exports.ts';
import type { ConfirmClaims, MadePdf, FilesService, ProveClaims } from '../../files/contract.ts';
import type { SignatureLevel } from '@platen/signatures/levels';
import type { Certification } from '@platen/signatures';
import type { RenderService } from '../../render/contract.ts';
import type { SignatureAugmenter } from './signature-augmenter.ts';
import type { FindSigner, Signer } from './signer.ts';
import { drawStamp, type StampText } from './stamp.ts';

/** A cryptographic signature to add to a PDF. Errors name the fields of the request. */
export interface SigningRequest {
  accountId: string;
  pdf: Awaited<ReturnType<FilesService['load']>>;
  signer: Signer;
  level: SignatureLevel;
  certify: Certification | null;
  /** The name of the signature field; `undefined` for a new one. */
  field: string | undefined;
  text: StampText;
  /** Where the signature is shown; `undefined` for an invisible one. */
  visible: { page: unknown; x: number; y: number; width: number; height: number } | undefined;
}

export interface SignedPdf extends MadePdf {
  /** The name of the signature field. */
  field: string;
}

export interface Signing {
  findSigner: FindSigner;
  /** Checks that the service can reach a level. @throws {AppError} VALIDATION_ERROR that names `level` */
  requireLevel(level: SignatureLevel): void;
  /**
   * @throws {AppError} VALIDATION_ERROR that names a field; UNAVAILABLE if a signer or the time stamping
   * authority does not respond; TSA_ERROR
   */
  sign(request: SigningRequest): Promise<SignedPdf>;
}

/**
 * Creates the service that signs PDFs. `augmenter` reaches the levels above b-b; it is `undefined` without a
 * timestamp authority.
 */
export function createSigning({
  tasks,
  render,
  findSigner,
  augmenter,
  prove,
  confirm,
}: {
  tasks: TaskClient<typeof import('./task.ts')>;
  render: RenderService | undefined;
  findSigner: FindSigner;
  augmenter: SignatureAugmenter | undefined;
  prove: ProveClaims;
  confirm: ConfirmClaims;
}): Signing {
  async function drawAppearance({ accountId, pdf, field, text, visible }: SigningRequest, at: number) {
    if (!visible) return undefined;
    if (!render)
      throw new AppError('NOT_IMPLEMENTED', 'a visible signature needs the plugin "render", which is off');
    const { page, ...box } = visible;
    const fieldSize =
      field === undefined
        ? null
        : await unwrapTaskResult('pdf', tasks.measureField({ pdf, field }, pdfTaskLimits));
    return { page, box, drawn: await drawStamp(render, { accountId, text, at, size: fieldSize ?? box }) };
  }

  /** @throws {AppError} VALIDATION_ERROR that names `level` */
  function augmenterFor(level: SignatureLevel): SignatureAugmenter | undefined {
    if (level === 'b-b') return undefined;
    if (augmenter) return augmenter;
    throw invalid(
      'level',
      `${level} needs a timestamp authority, which the operator sets with plugins.pdf-tools.tsaUrl. Use b-b`,
    );
  }

  return {
    findSigner,
    requireLevel(level) {
      augmenterFor(level);
    },
    async sign(request) {
      const { signer, text, certify, field, level } = request;
      const levels = augmenterFor(level);
      const at = Date.now();
      const appearance = await drawAppearance(request, at);
      const certificates = { certificate: signer.certificate, chain: signer.chain };
      const prepareRequest = {
        ...certificates,
        pdf: request.pdf,
        field,
        appearance,
        signer: text.name,
        reason: text.reason,
        location: text.location,
        contact: text.contact,
        at,
        certify: certify ?? undefined,
        hasTimestamp: levels !== undefined,
      };
      const prepared = await unwrapTaskResult('pdf', tasks.prepare(prepareRequest, pdfTaskLimits));
      const { attributes, offset, digits, pages } = prepared;
      const signature = await signer.sign(attributes);
      const timestamp = await levels?.timestamp(signature);
      const hex = await unwrapTaskResult(
        'certificate',
        tasks.encode({ ...certificates, attributes, signature, timestamp, digits }, pdfTaskLimits),
      );
      const signed = Buffer.from(prepared.pdf.buffer, prepared.pdf.byteOffset, prepared.pdf.length);
      signed.write(hex, offset, 'latin1');
      const pdf =
        levels && timestamp && (level === 'b-lt' || level === 'b-lta')
          ? await levels.extend(signed, { ...certificates, timestamp, level })
          : signed;
      const claims = await prove(pdf, [`pades-${level}`]);
      return { pdf, pages, claims: [...(await confirm(pdf)), ...claims], field: prepared.field };
    },
  };
}
