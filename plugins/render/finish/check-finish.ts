import { profileRules } from '@platen/einvoice/profiles';
import { invalid } from '../../../src/plugin.ts';
import { markBox, markOf, requirePasswords, whyNoAttachments } from '../../documents/exports.ts';
import type {
  GenerateOptions,
  ProtectionSetting,
  NameField,
  SignatureOption,
  SignatureSetting,
} from '../../documents/contract.ts';
import { chosenLevel, INVOICE_LEVEL } from './chosen-level.ts';

export const watermarkField: NameField = (field) => `options.watermark.${field}`;

/** The settings of the service for finished PDFs. */
export interface FinishSettings {
  protection: ProtectionSetting;
  signing: SignatureSetting;
}

/**
 * Validates the options for the finished PDF beyond their schema. Without `settings`, does not check whether
 * `protect` and `signature` are switched on.
 * @throws {AppError} VALIDATION_ERROR
 */
export function checkFinish(
  {
    watermark,
    attachments = [],
    protect,
    pdfa = false,
    accessible = false,
    invoice,
    signature,
  }: GenerateOptions,
  settings: FinishSettings | undefined,
): void {
  if (invoice) checkInvoice({ pdfa, isProtected: protect !== undefined, document: invoice.document });
  const level = chosenLevel(pdfa, { hasInvoice: invoice !== undefined });
  if (accessible !== false && protect?.userPassword)
    throw invalid(
      'options.protect.userPassword',
      'cannot be combined with accessible: the claim of PDF/UA could not be checked in a file that needs a password. Leave out userPassword, or protect a copy with POST /v1/pdf/protect',
    );
  if (protect) checkProtect(protect, { pdfa: level !== undefined, setting: settings?.protection });
  if (signature) checkSignature(signature, { protect: protect !== undefined, setting: settings?.signing });
  if (watermark && markOf(watermark, watermarkField) === 'image') markBox(watermark, watermarkField);
  const reason = attachments.length > 0 && level !== undefined ? whyNoAttachments(level, 'pdfa') : undefined;
  if (reason !== undefined) throw invalid('options.attachments', `cannot be combined with pdfa: ${reason}`);
  const names = new Set<string>(invoice ? [profileRules(invoice.profile).fileName] : []);
  for (const [index, { name }] of attachments.entries()) {
    if (names.has(name))
      throw invalid(`options.attachments[${index}].name`, 'is the name of another attachment');
    names.add(name);
  }
}

/** Rejects options that cannot be combined with an invoice. */
function checkInvoice({
  pdfa,
  isProtected,
  document = 'pdf',
}: {
  pdfa: NonNullable<GenerateOptions['pdfa']>;
  isProtected: boolean;
  document: string | undefined;
}): void {
  const level = chosenLevel(pdfa, { hasInvoice: false });
  if (level !== undefined && level !== INVOICE_LEVEL)
    throw invalid(
      'options.pdfa',
      `cannot be ${JSON.stringify(pdfa)} with invoice: an e-invoice is PDF/A-3b, which allows the embedded data. Leave out pdfa, or set it to "${INVOICE_LEVEL}"`,
    );
  if (isProtected)
    throw invalid(
      'options.protect',
      'cannot be combined with invoice: an e-invoice is PDF/A-3b, which forbids encryption, and its receiver must read the embedded data. Leave out protect, and send the file over an encrypted connection',
    );
  if (document !== 'pdf')
    throw invalid(
      'options.invoice.document',
      `cannot be "${document}" here, because a generation is a PDF. Send the data to POST /v1/pdf/invoice, which returns plain XML without a PDF`,
    );
}

function checkProtect(
  protect: NonNullable<GenerateOptions['protect']>,
  { pdfa, setting }: { pdfa: boolean; setting: ProtectionSetting | undefined },
): void {
  if (setting && !setting.isAllowed)
    throw invalid(
      'options.protect',
      'is switched off on this service; the operator can switch it on with plugins.pdf-tools.protect',
    );
  if (pdfa)
    throw invalid(
      'options.protect',
      'cannot be combined with pdfa: PDF/A forbids encryption, so that the file can always be read. Make the PDF/A file first, and protect a copy with POST /v1/pdf/protect, which is then not PDF/A',
    );
  requirePasswords(protect, (field) => `options.protect.${field}`);
}

function checkSignature(
  signature: SignatureOption,
  { protect, setting }: { protect: boolean; setting: SignatureSetting | undefined },
): void {
  if (setting && !setting.signer)
    throw invalid('options.signature', 'needs the plugin "pdf-tools", which is off on this service');
  if (protect)
    throw invalid(
      'options.signature',
      'cannot be combined with protect: encrypting would invalidate the signature. Generate with protect and permissions.modifying, and sign the result with POST /v1/pdf/sign',
    );
  setting?.signer?.check(signature);
}
