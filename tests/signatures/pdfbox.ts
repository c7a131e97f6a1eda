import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerMissingError, SHORT_RUN } from '../../scripts/servers/maven.mjs';
import { installPdfBox } from '../../scripts/servers/pdfbox.mjs';
import { skip } from '../support/service/servers.ts';
import { isThorough } from '../support/suite.ts';

let classPath: string | undefined;

/**
 * Tells whether PDFBox is installed, installing it if possible. Otherwise prints one line. Returns false in
 * `npm test`.
 * @throws {Error} if it is unavailable and `REQUIRE_SERVERS=1` is set
 */
export function requirePdfBox(): boolean {
  if (!isThorough) return false;
  try {
    classPath ??= compile();
    return true;
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    skip(`PDFBox: ${error.message}`);
    return false;
  }
}

/** Runs `PdfBoxUpdates.java`. @throws {Error} with its messages if it fails */
export function runPdfBox(...args: string[]): void {
  const program = ['-cp', (classPath ??= compile()), 'PdfBoxUpdates'];
  const { status, stderr } = spawnSync('java', [...SHORT_RUN, ...program, ...args]);
  if (status !== 0) throw new Error(`PDFBox: ${stderr.toString()}`);
}

function compile(): string {
  const jars = join(installPdfBox(), '*');
  const folder = mkdtempSync(join(tmpdir(), 'platen-pdfbox-'));
  const source = join(import.meta.dir, 'PdfBoxUpdates.java');
  const { status } = spawnSync('javac', ['-cp', jars, '-d', folder, source], { stdio: 'ignore' });
  if (status !== 0) throw new ServerMissingError('its test program needs javac');
  return `${folder}:${jars}`;
}
