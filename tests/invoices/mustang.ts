import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerMissingError } from '../../scripts/servers/maven.mjs';
import { installMustang } from '../../scripts/servers/mustang.mjs';
import { skip } from '../support/service/servers.ts';
import { isThorough } from '../support/suite.ts';

/** The report of Mustang on a file. */
export interface MustangReport {
  /** The summaries of the PDF, if there is one, of the XML, and of both: `valid` or `invalid`. */
  summaries: string[];
  errors: string[];
}

let command: string[] | undefined;

/**
 * Tells whether Mustang is installed, installing it if possible. Otherwise prints one line. Returns false in
 * `npm test`.
 */
export function requireMustang(): boolean {
  if (!isThorough) return false;
  try {
    command ??= installMustang();
    return true;
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    skip(`Mustang: ${error.message}`);
    return false;
  }
}

/**
 * Validates files by name, with the extension `pdf` or `xml`, in one process.
 * @throws {Error} if Mustang does not report on every file
 */
export async function validateWithMustang(
  files: ReadonlyMap<string, Uint8Array>,
): Promise<Map<string, MustangReport>> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-mustang-'));
  try {
    const keys = [...files.keys()];
    // Keys need not be valid file names.
    const paths = keys.map((key, index) => join(folder, `${index}.${key.slice(-3)}`));
    for (const [index, path] of paths.entries()) await Bun.write(path, files.get(keys[index] ?? '') ?? '');
    const child = Bun.spawn([...(command ??= installMustang()), ...paths], {
      stdout: 'pipe',
      stderr: 'ignore',
    });
    const output = await new Response(child.stdout).text();
    const reports = output.split(/^FILE .*$/m).slice(1);
    if (reports.length !== keys.length)
      throw new Error(`Mustang reported on ${reports.length} of ${keys.length} files`);
    return new Map(keys.map((key, index) => [key, reportOf(reports[index] ?? '')]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reportOf(xml: string): MustangReport {
  return {
    summaries: [...xml.matchAll(/<summary status="(\w+)"/g)].map(([, status = '']) => status),
    errors: [...xml.matchAll(/<error[^>]*>([^<]*)/g)].map(([, message = '']) => message.trim()),
  };
}
