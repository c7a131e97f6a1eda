import { isPlain, writeInvoice, type Finding, type InvoiceProfile } from '@platen/einvoice';
import type { InvoiceFile } from '@platen/pdf-standards';

/** An invoice to prepare. The JSON is valid and an object. */
export interface PreparationRequest {
  profile: InvoiceProfile;
  data: Uint8Array | undefined;
  /**
   * The data of the template; absent if there is no template. Its property `invoice` is the invoice when
   * `data` is absent.
   */
  templateData: Uint8Array | undefined;
}

/** An invoice that is ready to be embedded, or the rules that it violates. */
export type PreparedInvoice =
  | { findings: [Finding, ...Finding[]] }
  | {
      findings?: undefined;
      file: InvoiceFile;
      /** The data of the template with the completed invoice; absent if it stays as it is. */
      templateData: Uint8Array | undefined;
    };

/** Completes and checks an invoice, and writes its XML. */
export function prepare({ profile, data, templateData }: PreparationRequest): PreparedInvoice {
  const whole = data === undefined || templateData ? parse(templateData) : undefined;
  const given = data === undefined ? whole?.['invoice'] : parse(data);
  const written = writeInvoice(given, { profile });
  if (written.findings) return { findings: written.findings };
  // Beside separate data, `invoice` is data of the template's own, and UBL data is only for the XML.
  const isCompleted = whole && (data === undefined || (isPlain(given) && !Object.hasOwn(whole, 'invoice')));
  return {
    file: { xml: written.xml, profile },
    templateData: isCompleted ? Buffer.from(JSON.stringify({ ...whole, invoice: written.data })) : undefined,
  };
}

function parse(json: Uint8Array | undefined): Record<string, unknown> {
  return json === undefined
    ? {}
    : (JSON.parse(Buffer.from(json).toString('utf8')) as Record<string, unknown>);
}
