import { basename } from 'node:path';
import type { Command } from 'commander';
import { readBytes } from './documents/read-file.ts';
import { EXIT_STATUS, UsageError } from './failures.ts';
import { serviceOptions, withOptions } from './options.ts';
import { startProgress } from './progress.ts';
import { connect, type ServiceOptions } from './service/connect.ts';

interface ValidateOptions extends ServiceOptions {
  profile?: string;
  json?: true;
}

interface Finding {
  clause: string;
  message: string;
  page?: number;
}

interface Validation {
  claims: string[];
  results: { profile: string; valid: boolean | null; findings: Finding[]; message?: string }[];
}

const PDF_START = '%PDF-';
/** A PDF may have other bytes before its header. */
const HEADER_WITHIN = 1_024;

/** Adds `platen validate`. */
export function addValidateCommand(program: Command): void {
  const command = program
    .command('validate')
    .description('check what a PDF claims: PDF/A, PDF/UA, an embedded invoice, signatures')
    .argument('<file>', 'the PDF')
    .option('--profile <name>', 'check this profile in place of the claims, such as pdfa-3b or pdfua-1');
  withOptions(command, serviceOptions()).action(validate);
}

async function validate(path: string, { profile, json, ...service }: ValidateOptions): Promise<void> {
  const bytes = readBytes(path);
  if (!bytes.subarray(0, HEADER_WITHIN).includes(PDF_START))
    throw new UsageError(`${path} is not a PDF; name a PDF file`);
  using progress = startProgress();
  progress.show(`checking ${path}`);
  await using client = await connect(service, { json });
  const body = new FormData();
  body.set('pdf', new Blob([bytes], { type: 'application/pdf' }), basename(path));
  if (profile !== undefined) body.set('profile', profile);
  const validation = await client.json<Validation>('POST /v1/pdf/validate', { body });
  progress[Symbol.dispose]();
  if (json) console.log(JSON.stringify({ file: path, ...validation }));
  else print(path, validation);
  if (validation.results.some(({ valid }) => valid === false)) process.exitCode = EXIT_STATUS.findings;
}

function print(path: string, { results }: Validation): void {
  if (results.length === 0) {
    console.log(`${path} claims no profile; use --profile to check one`);
    return;
  }
  for (const { profile, valid, findings, message } of results) {
    const verdict = valid === null ? 'cannot be checked' : valid ? 'valid' : 'not valid';
    console.log(`${profile}: ${verdict}${message === undefined ? '' : ` (${message})`}`);
    for (const { clause, message: violation, page } of findings)
      console.log(`  ${clause}${page === undefined ? '' : ` on page ${page}`}: ${violation}`);
  }
}
