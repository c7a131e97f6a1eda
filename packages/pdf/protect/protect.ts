import {
  createEncryption,
  Dict,
  informationOf,
  InputFault,
  MAX_PASSWORD_BYTES,
  metadataWithoutClaims,
  name,
  preparePassword,
  Ref,
  writePdf,
  type PdfDocument,
} from '../objects/index.ts';
import { isSigned } from '../edit/signed.ts';
import { separatePages } from './separate-pages.ts';

/** The passwords of a protected PDF, and the rights of a reader that opens it with the user's password. */
export interface ProtectionRequest {
  ownerPassword: string;
  /** Absent or empty if the file opens without a password. */
  userPassword?: string | undefined;
  permissions?: ProtectionPermissions | undefined;
}

/** The rights of a reader without the owner's password. */
export interface ProtectionPermissions {
  /** Printing; true when absent. */
  printing?: boolean | undefined;
  /** Copying text and images; false when absent. Accessibility programs can always read the text. */
  copying?: boolean | undefined;
  /** Changing the content of pages; false when absent. */
  modifying?: boolean | undefined;
  /** Adding and changing annotations and form fields; as `modifying` when absent. */
  annotating?: boolean | undefined;
  /** Filling in form fields and signing; as `modifying` when absent. */
  filling?: boolean | undefined;
  /** Inserting, deleting and rotating pages, and making outlines; as `modifying` when absent. */
  assembling?: boolean | undefined;
}

/**
 * The bits that are always set: the reserved bits, and text extraction for accessibility (ISO 32000-2 table
 * 22).
 */
const ALWAYS = 0xff_ff_f0_c0 | (1 << 9);
const PRINTING = (1 << 2) | (1 << 11);
const COPYING = 1 << 4;
const MODIFYING = 1 << 3;
const ANNOTATING = 1 << 5;
const FILLING = 1 << 8;
const ASSEMBLING = 1 << 10;

/**
 * Encrypts a document with AES-256 (revision 6). Removes claims of PDF/A, which forbids encryption, and keeps
 * claims of PDF/UA. The document must not be used afterwards.
 * @param fields the paths of the passwords, for errors
 * @throws {InputFault} for a password that readers cannot enter, and for a document that is encrypted or
 * signed.
 */
export function protectDocument(
  document: PdfDocument,
  { ownerPassword, userPassword = '', permissions = {} }: ProtectionRequest,
  fields: { ownerPassword: string; userPassword: string },
): Buffer {
  if (ownerPassword === '') throw new InputFault(fields.ownerPassword, 'must not be empty');
  requirePassword(ownerPassword, fields.ownerPassword);
  requirePassword(userPassword, fields.userPassword);
  if (document.encrypted) throw new InputFault('pdf', 'is already encrypted: remove its encryption first');
  if (isSigned(document))
    throw new InputFault(
      'pdf',
      'is signed: encrypting it would invalidate the signature. Protect the file before it is signed',
    );
  const { catalog } = document;
  // Usage rights are a signature by the program that made the file. Encryption invalidates it too.
  const written = catalog.copy().delete('Version', 'Perms');
  separatePages(document, written);
  const form = catalog.dict('AcroForm');
  if (form?.map.has('SigFlags')) written.set('AcroForm', form.copy().delete('SigFlags'));
  if (catalog.map.has('Metadata'))
    written.set('Metadata', metadataWithoutClaims(document, { keeps: 'PDF/UA' }));
  const version = document.version < '1.7' ? '1.7' : document.version;
  if (version < '2.0') written.set('Extensions', withRevision6(catalog.dict('Extensions')));
  return writePdf({
    root: Ref.to(written),
    info: informationOf(document),
    version,
    compact: document.compact,
    encryption: createEncryption({ ownerPassword, userPassword, permissions: flagsOf(permissions) }),
  });
}

function requirePassword(password: string, field: string): void {
  if (Buffer.byteLength(preparePassword(password)) > MAX_PASSWORD_BYTES)
    throw new InputFault(field, `must have at most ${MAX_PASSWORD_BYTES} bytes of UTF-8`);
  if (/\p{Cc}|\p{Cs}/u.test(password)) throw new InputFault(field, 'must not contain control characters');
  if (password !== '' && preparePassword(password) === '')
    throw new InputFault(field, 'must contain a visible character');
}

/** Returns the extensions of a PDF 1.7 file that uses revision 6, which PDF 2.0 introduced. */
function withRevision6(extensions: Dict | undefined): Dict {
  const adobe = Dict.of({ BaseVersion: name('1.7'), ExtensionLevel: 8 });
  return (extensions?.copy() ?? new Dict()).set('ADBE', adobe);
}

function flagsOf({
  printing = true,
  copying = false,
  modifying = false,
  annotating = modifying,
  filling = modifying,
  assembling = modifying,
}: ProtectionPermissions): number {
  let flags = ALWAYS;
  if (printing) flags |= PRINTING;
  if (copying) flags |= COPYING;
  if (modifying) flags |= MODIFYING;
  if (annotating) flags |= ANNOTATING;
  if (filling) flags |= FILLING;
  if (assembling) flags |= ASSEMBLING;
  return flags;
}
