import { reportGarbage } from '@platen/runtime';
import { parseJson, RawObject, Type, type RawJson, type Sealer } from '../../../src/plugin.ts';
import type { DocumentRequest } from '../contract.ts';

const raw = RawObject({ description: 'As the caller sent it.' });
const Stored = Type.Object({ data: raw, invoiceData: raw });

interface Sealed {
  sealed: string;
}

type Options = NonNullable<DocumentRequest['options']>;

/**
 * A request as it is stored. The data of an invoice is stored next to the options. A URL is encrypted with
 * its credentials, and the option `protect` with its passwords.
 */
interface StoredRequest extends Omit<DocumentRequest, 'source' | 'options'> {
  source: DocumentRequest['source'] | Sealed;
  options?: (Omit<Options, 'protect'> & { protect?: Sealed | undefined }) | undefined;
  invoiceData?: RawJson | undefined;
}

/**
 * The subject of sealed passwords. It differs from that of a sealed URL, so that one sealed text cannot
 * replace the other.
 */
const protectSubject = (generationId: string) => `${generationId}/protect`;

/**
 * Writes the request of a generation as JSON text. The data is copied without being parsed; the properties
 * are stored in the generation.
 */
export function writeRequest(
  generationId: string,
  { data, source, options, ...request }: DocumentRequest,
  sealer: Sealer,
): string {
  const stored = 'url' in source ? { sealed: sealer.seal(generationId, JSON.stringify(source)) } : source;
  const protect = options?.protect && {
    sealed: sealer.seal(protectSubject(generationId), JSON.stringify(options.protect)),
  };
  const json = JSON.stringify({
    source: stored,
    ...request,
    ...(options && { options: { ...withoutInvoiceData(options), protect } }),
    properties: undefined,
  } satisfies StoredRequest);
  const invoiceData = options?.invoice?.data;
  return [
    json.slice(0, -1),
    ...(data ? [`,"data":${data.text}`] : []),
    ...(invoiceData ? [`,"invoiceData":${invoiceData.text}`] : []),
    '}',
  ].join('');
}

/**
 * Returns the size of the JSON text of a request in bytes. The text is not kept: the texts of all items would
 * take as much memory as the body.
 */
export function sizeOfRequest(
  generationId: string,
  { data, options, ...request }: DocumentRequest,
  sealer: Sealer,
): number {
  const invoiceData = options?.invoice?.data;
  const rest = { ...request, options: options && withoutInvoiceData(options) };
  const bytes = Buffer.byteLength(writeRequest(generationId, rest, sealer));
  reportGarbage(bytes);
  return (
    bytes +
    (data ? Buffer.byteLength(',"data":') + data.sizeBytes : 0) +
    (invoiceData ? Buffer.byteLength(',"invoiceData":') + invoiceData.sizeBytes : 0)
  );
}

function withoutInvoiceData(options: Options): Options {
  const { invoice } = options;
  if (!invoice?.data) return options;
  const { data: _, ...rest } = invoice;
  return { ...options, invoice: rest };
}

/** Reads a request from JSON text, in slices. Its `data` stays text. @throws {UnsealError} */
export async function readRequest(
  generationId: string,
  text: string,
  sealer: Sealer,
): Promise<DocumentRequest> {
  const stored = (await parseJson(Buffer.from(text), Stored)) as StoredRequest;
  const { source, options, invoiceData, ...request } = stored;
  const opened = 'sealed' in source ? JSON.parse(sealer.unseal(generationId, source.sealed)) : source;
  const protect =
    options?.protect && JSON.parse(sealer.unseal(protectSubject(generationId), options.protect.sealed));
  return {
    source: opened as DocumentRequest['source'],
    ...request,
    ...(options && {
      options: {
        ...options,
        ...(protect && { protect }),
        ...(options.invoice && invoiceData && { invoice: { ...options.invoice, data: invoiceData } }),
      } as Options,
    }),
  };
}
