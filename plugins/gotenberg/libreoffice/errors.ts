import { AppError } from '../../../src/plugin.ts';

interface Conversion {
  name: string;
  password: string | undefined;
  pages: string;
}

/** Explains why a document was not converted, with Gotenberg's text and with the reason. */
export function explainConversion(error: unknown, conversion: Conversion): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  const [detail] = error.details;
  return new AppError('VALIDATION_ERROR', textOf(detail?.path ?? '', detail?.message ?? '', conversion), {
    cause: error,
  });
}

function textOf(path: string, message: string, { name, password, pages }: Conversion): string {
  const isAboutPassword = path === 'password' || /encrypted|password/.test(message);
  if (isAboutPassword && password === undefined)
    return `The document '${name}' is password-protected. Provide its password in the 'password' form field.`;
  if (isAboutPassword && /not (?:encrypted|protected|password)|no password/.test(message))
    return `The document '${name}' is not password-protected. Remove the 'password' form field.`;
  if (isAboutPassword)
    return `The password for the document '${name}' is incorrect. Check the 'password' form field.`;
  if (path === 'pages' || path === 'options.pages')
    return `LibreOffice could not apply the page ranges '${pages}' to the document '${name}'. Check the 'nativePageRanges' form field; valid values look like '1-4', '2' or '1,3,5-7'.`;
  return `LibreOffice could not read the document '${name}'. Ensure the file is not corrupted and that its extension matches its actual format. (The file ${message}.)`;
}
