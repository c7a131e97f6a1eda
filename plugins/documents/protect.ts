import { invalid, Type } from '../../src/plugin.ts';

/** Readers of AES-256 ignore the rest of a password (ISO 32000-2 7.6.4.3.2). */
const MAX_PASSWORD_BYTES = 127;

const password = (title: string, minLength: number, description: string) =>
  Type.String({
    title,
    minLength,
    maxLength: MAX_PASSWORD_BYTES,
    pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`,
    expected: `a string of ${minLength} to ${MAX_PASSWORD_BYTES} characters without control characters`,
    description,
  });

const right = (preset: string, description: string) =>
  Type.Optional(Type.Boolean({ description: `${description}; ${preset} when absent.` }));

/** The schemas of the fields that protect a PDF. */
export const protectSchemas = {
  ownerPassword: password(
    'OwnerPassword',
    1,
    'Opens the PDF without restrictions. At most 127 bytes of UTF-8.',
  ),
  userPassword: password(
    'UserPassword',
    0,
    'Opens the PDF with the permissions. Without it, the PDF opens without a password. At most 127 bytes of UTF-8.',
  ),
  permissions: Type.Object(
    {
      printing: right('true', 'Printing in any quality'),
      copying: right(
        'false',
        'Copying text and images; programs for people with disabilities can always read the text',
      ),
      modifying: right('false', 'Changing the content of pages'),
      annotating: right('as `modifying`', 'Adding and changing annotations and form fields'),
      filling: right('as `modifying`', 'Filling in form fields, and signing'),
      assembling: right('as `modifying`', 'Inserting, deleting and rotating pages'),
    },
    {
      additionalProperties: false,
      title: 'PdfPermissions',
      description:
        'The rights of a reader that opens the PDF without the owner password. Readers are expected to obey them, but the encryption cannot enforce them.',
    },
  ),
};

const { ownerPassword, userPassword, permissions } = protectSchemas;

export const ProtectOption = Type.Object(
  {
    ownerPassword,
    userPassword: Type.Optional(userPassword),
    permissions: Type.Optional(permissions),
  },
  {
    additionalProperties: false,
    title: 'ProtectOptions',
    description:
      'Encrypts the PDF with AES-256. Only if the operator has switched it on with `plugins.pdf-tools.protect`. The passwords are not stored.',
  },
);

/** Whether PDFs can be protected. */
export interface ProtectionSetting {
  isAllowed: boolean;
}

/** Rejects passwords that are too long in UTF-8. @throws {AppError} VALIDATION_ERROR */
export function requirePasswords(
  passwords: { ownerPassword: string; userPassword?: string | undefined },
  nameField: (field: 'ownerPassword' | 'userPassword') => string,
): void {
  for (const field of ['ownerPassword', 'userPassword'] as const)
    if (Buffer.byteLength(passwords[field] ?? '') > MAX_PASSWORD_BYTES)
      throw invalid(nameField(field), `must have at most ${MAX_PASSWORD_BYTES} bytes of UTF-8`);
}
