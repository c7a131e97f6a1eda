import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPdfium, memoryOf } from '../../forms/pdfium.ts';
import { openWithPdfjs } from '../../corpus/pdfjs-reader.ts';
import { requirePyHanko } from '../../signatures/pyhanko.ts';
import { withPdfFiles } from './pdf-operations.ts';
import { readWithPyHanko } from './pyhanko-reader.ts';

/**
 * What a reader says about an encrypted file: its pages, and the permissions of those who open it with the
 * user password.
 */
export interface ProtectedReading {
  pages: number;
  printing: boolean;
  copying: boolean;
  modifying: boolean;
}

/** A PDF reader that opens encrypted files. */
interface PasswordReader {
  isInstalled: () => boolean;
  /** Opens a file with a password. Returns `undefined` if the reader rejects the password. */
  read: (
    pdf: Uint8Array,
    password: string,
  ) => Promise<ProtectedReading | undefined> | ProtectedReading | undefined;
}

/**
 * The bits of the entry `P` (ISO 32000-2 table 22): printing, in high quality too; copying; changes,
 * comments, forms and pages.
 */
const PRINTING = (1 << 2) | (1 << 11);
const COPYING = 1 << 4;
const MODIFYING = (1 << 3) | (1 << 5) | (1 << 8) | (1 << 10);
const ACCESSIBILITY = 1 << 9;

/**
 * Reads the entry `P`.
 * @throws {Error} if a permission is granted in part, or accessibility programs have no access.
 */
function readPermissions(pages: number, bits: number): ProtectedReading {
  const isGranted = (mask: number) => {
    if ((bits & mask) !== 0 && (bits & mask) !== mask) throw new Error(`mixed permissions: ${bits}`);
    return (bits & mask) === mask;
  };
  if (!isGranted(ACCESSIBILITY)) throw new Error('accessibility programs have no access');
  return {
    pages,
    printing: isGranted(PRINTING),
    copying: isGranted(COPYING),
    modifying: isGranted(MODIFYING),
  };
}

function readWithPoppler(pdf: Uint8Array, password: string): ProtectedReading | undefined {
  for (const option of ['-upw', '-opw']) {
    const { exitCode, stdout } = withPdfFiles([pdf], ([path]) =>
      Bun.spawnSync(['pdfinfo', option, password, path], { stderr: 'ignore' }),
    );
    if (exitCode !== 0) continue;
    const text = stdout.toString();
    const [, print, copy, change, notes] =
      /\(print:(\w+) copy:(\w+) change:(\w+) addNotes:(\w+) algorithm:AES-256\)/.exec(text) ?? [];
    if (print === undefined || change !== notes) throw new Error(`pdfinfo: ${text}`);
    return {
      pages: Number(/^Pages:\s+(\d+)/m.exec(text)?.[1]),
      printing: print === 'yes',
      copying: copy === 'yes',
      modifying: change === 'yes',
    };
  }
  return undefined;
}

function readWithQpdf(pdf: Uint8Array, password: string): ProtectedReading | undefined {
  return withPdfFiles([pdf], ([path]) => {
    const run = (option: string) =>
      Bun.spawnSync(['qpdf', `--password=${password}`, option, path], { stderr: 'ignore' });
    const count = run('--show-npages');
    if (count.exitCode !== 0) return undefined;
    const bits = Number(/^P = (-?\d+)$/m.exec(run('--show-encryption').stdout.toString())?.[1]);
    return readPermissions(Number(count.stdout.toString()), bits);
  });
}

const MUTOOL_SCRIPT = `
var file = new Document(scriptArgs[0]);
if (file.needsPassword() && !file.authenticatePassword(scriptArgs[1])) print('null');
else {
  for (var page = 0; page < file.countPages(); page++) file.loadPage(page).toStructuredText();
  print(JSON.stringify({
    pages: file.countPages(),
    printing: file.hasPermission('print'),
    copying: file.hasPermission('copy'),
    modifying: file.hasPermission('edit'),
    annotating: file.hasPermission('annotate'),
  }));
}`;

function readWithMutool(pdf: Uint8Array, password: string): ProtectedReading | undefined {
  return withPdfFiles([pdf], ([path], folder) => {
    const script = join(folder, 'read.js');
    writeFileSync(script, MUTOOL_SCRIPT);
    const { exitCode, stdout, stderr } = Bun.spawnSync(['mutool', 'run', script, path, password]);
    if (exitCode !== 0) throw new Error(`mutool: ${stderr.toString()}`);
    const found: (ProtectedReading & { annotating: boolean }) | null = JSON.parse(stdout.toString());
    if (found === null) return undefined;
    const { annotating, ...reading } = found;
    if (annotating !== reading.modifying) throw new Error(`mutool: ${stdout.toString()}`);
    return reading;
  });
}

async function readWithPdfium(pdf: Uint8Array, password: string): Promise<ProtectedReading | undefined> {
  const pdfium = await loadPdfium();
  const memory = pdfium.pdfium.wasmExports.malloc(pdf.length);
  memoryOf(pdfium).set(pdf, memory);
  const document = pdfium.FPDF_LoadMemDocument(memory, pdf.length, password);
  try {
    if (document === 0) return undefined;
    return readPermissions(pdfium.FPDF_GetPageCount(document), pdfium.FPDF_GetDocUserPermissions(document));
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    pdfium.pdfium.wasmExports.free(memory);
  }
}

async function readWithPdfjs(pdf: Uint8Array, password: string): Promise<ProtectedReading | undefined> {
  const opened = await openWithPdfjs(pdf, password);
  return opened && readPermissions(opened.pages, opened.permissions);
}

async function readAloneWithPyHanko(
  pdf: Uint8Array,
  password: string,
): Promise<ProtectedReading | undefined> {
  const [reading] = await readWithPyHanko([{ pdf, password }]);
  if (reading?.fault?.includes('the password is wrong')) return undefined;
  if (reading?.permissions === null || reading?.permissions === undefined)
    throw new Error(`pyHanko: ${reading?.fault}`);
  return readPermissions(reading.pages, reading.permissions);
}

/** The readers by name. */
export const PASSWORD_READERS: Readonly<Record<string, PasswordReader>> = {
  qpdf: { isInstalled: () => true, read: readWithQpdf },
  poppler: { isInstalled: () => true, read: readWithPoppler },
  mutool: { isInstalled: () => Bun.which('mutool') !== null, read: readWithMutool },
  pdfium: { isInstalled: () => true, read: readWithPdfium },
  'pdf.js': { isInstalled: () => true, read: readWithPdfjs },
  pyHanko: { isInstalled: requirePyHanko, read: readAloneWithPyHanko },
};
