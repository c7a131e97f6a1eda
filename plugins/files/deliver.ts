import { sendFile, withExtension, type Account, type Static } from '../../src/plugin.ts';
import { prefersToJson } from './accept.ts';
import type { FileRecord } from './collections.ts';
import type { DeliveryRequest, FilesService, MadePdf, Result } from './contract.ts';
import type { OutputChoice, PdfResponse } from './pdf-output.ts';
import { presentResultProperties, type ResultProperties, type StoredMediaType } from './result-properties.ts';

/** Stores results and creates the responses that contain them. */
export type Delivery = Pick<FilesService, 'deliver' | 'deliverArchive' | 'deliverParts'>;

/** The functions of the service that {@link createDelivery} uses. */
interface DeliveryParts extends Pick<FilesService, 'readProperties' | 'save' | 'link' | 'markResult'> {
  saveParts: (
    account: Account,
    operation: string,
    parts: readonly (MadePdf & { properties: ResultProperties })[],
  ) => Promise<FileRecord[]>;
}

export function createDelivery({
  readProperties,
  save,
  saveParts,
  link,
  markResult,
}: DeliveryParts): Delivery {
  async function present(
    record: FileRecord,
    pdf: Uint8Array,
    output: 'url' | 'base64',
  ): Promise<Static<typeof PdfResponse>> {
    const content = output === 'base64' ? { data: pdf } : { url: await link(record) };
    return {
      ...content,
      file_size: record.sizeBytes,
      file_id: record.id,
      ...presentResultProperties(record),
    };
  }

  async function deliverFile(
    { account, request, body, startedAt }: DeliveryRequest,
    made: MadePdf & { operation: string },
    mediaType: StoredMediaType,
  ): Promise<Static<typeof PdfResponse> | Response> {
    const properties = readProperties(body, account, { mediaType });
    const record = await save({ account, ...made, properties, mediaType });
    const output = chooseOutput(request, body.output, mediaType);
    if (output !== 'binary') return present(record, made.pdf, output);
    return sendFile(
      {
        body: made.pdf,
        mediaType,
        fileName: record.fileName ?? withExtension(record.id, mediaType),
      },
      { 'platen-file-id': record.id, ...resultHeaders({ pages: made.pages, startedAt }) },
    );
  }

  return {
    async deliver<Fields extends object>(request: DeliveryRequest, { fields, ...result }: Result<Fields>) {
      const { steps = [{ do: result.operation }] } = result;
      const made = await markResult({ ...result, steps });
      const response = await deliverFile(request, made, 'application/pdf');
      if (response instanceof Response) return response;
      return { ...response, ...fields } as Static<typeof PdfResponse> & Fields;
    },
    deliverArchive: (request, { zip, ...made }) =>
      deliverFile(request, { ...made, pdf: zip }, 'application/zip'),
    async deliverParts({ account, request, body, startedAt }, operation, results) {
      const parts: MadePdf[] = [];
      for (const result of results) parts.push(await markResult({ steps: [{ do: operation }], ...result }));
      const properties = readProperties(body, account);
      const digits = String(parts.length).length;
      const partName = (fileName: string, index: number) =>
        fileName.replace(/\.pdf$/i, `-${String(index + 1).padStart(digits, '0')}.pdf`);
      const { fileName } = properties;
      const named = parts.map((part, index) => {
        const name = fileName === null ? null : partName(fileName, index);
        return { ...part, properties: { ...properties, fileName: name } };
      });
      const stored = await saveParts(account, operation, named);
      const output = chooseOutput(request, body.output, 'application/zip');
      if (output !== 'binary') {
        const answers: Static<typeof PdfResponse>[] = [];
        for (const [index, { pdf }] of parts.entries()) {
          const record = stored[index];
          if (record) answers.push(await present(record, pdf, output));
        }
        return { parts: answers, total: answers.length };
      }
      const name = fileName ?? 'part.pdf';
      const entries = parts.map(({ pdf }, index) => ({ name: partName(name, index), content: pdf }));
      const pages = parts.reduce((sum, part) => sum + part.pages, 0);
      const archiveName = (fileName ?? `${operation}.pdf`).replace(/\.pdf$/i, '.zip');
      return sendFile(
        { body: entries, mediaType: 'application/zip', fileName: archiveName },
        resultHeaders({ pages, startedAt }),
      );
    },
  };
}

/** Returns how a result is sent: as the field `output` says or, without it, as the Accept header prefers. */
export function chooseOutput(
  request: Request,
  output: Static<typeof OutputChoice> | undefined,
  mediaType: string,
): 'url' | 'base64' | 'binary' {
  return output ?? (prefersToJson(request.headers.get('accept'), mediaType) ? 'binary' : 'url');
}

/** Creates the headers that describe a result. */
function resultHeaders({ pages, startedAt }: { pages: number; startedAt: number }): Record<string, string> {
  return {
    'platen-pages': String(pages),
    'platen-generation-time-ms': String(Math.round(performance.now() - startedAt)),
  };
}
