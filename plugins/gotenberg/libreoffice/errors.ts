import { AppError } from '../../../src/plugin.ts';

interface Conversion {
  name: string;
  password: string | undefined;
  pages: string;
}

/** Tells whether a document was not converted because its password is missing or wrong. */
function isAboutPassword(error: unknown): boolean {
  const [detail] = error instanceof AppError ? error.details : [];
  return detail?.path === 'password' || detail?.message.startsWith('is encrypted') === true;
}

/** Explains why a document was not converted, with Gotenberg's text and with the reason. */
export function explainConversion(error: unknown, conversion: Conversion): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  return new AppError('VALIDATION_ERROR', textOf(error, conversion), { cause: error });
}

function textOf(error: AppError, { name, password, pages }: Conversion): string {
  const [{ path, message } = { path: '', message: error.message }] = error.details;
  if (isAboutPassword(error))
    return password === undefined
      ? `The document '${name}' is password-protected. Provide its password in the 'password' form field.`
      : `The password for the document '${name}' is incorrect. Check the 'password' form field.`;
  if (path === 'pages' || path === 'options.pages')
    return `LibreOffice could not apply the page ranges '${pages}' to the document '${name}'. Check the 'nativePageRanges' form field; valid values look like '1-4', '2' or '1,3,5-7'.`;
  return `LibreOffice could not read the document '${name}'. Ensure the file is not corrupted and that its extension matches its actual format. (The file ${message}.)`;
}
