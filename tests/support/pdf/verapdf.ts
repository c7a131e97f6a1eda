import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { PdfaLevel } from '@platen/pdf-standards';
import { ServerMissingError } from '../../../scripts/servers/maven.mjs';
import { installVeraPdf } from '../../../scripts/servers/verapdf.mjs';
import { skip } from '../service/servers.ts';
import { onMongoAndS3, isThorough } from '../suite.ts';

/** A rule of ISO 19005 that a file violates, as reported by veraPDF. */
export interface ClauseFailure {
  /**
   * The clause and the number of the test, such as `6.3.4-1`; `unreadable` if veraPDF cannot read the file.
   */
  clause: string;
  /** The number of violations. */
  count: number;
  /** Describes the first violation and its position. */
  example: string;
}

interface Report {
  report: {
    jobs: {
      itemDetails: { name: string };
      validationResult?: { compliant: boolean; details: { ruleSummaries: RuleSummary[] } }[];
      taskException?: { exceptionMessage: string };
    }[];
  };
}

interface RuleSummary {
  clause: string;
  testNumber: number;
  failedChecks: number;
  checks: { context: string; errorMessage: string }[];
}

let command: string[] | undefined;

/**
 * Installs veraPDF if necessary and possible. Returns whether it is installed; if not, prints one line.
 * Always returns false in `npm test`.
 * @throws {Error} if veraPDF is unavailable and `REQUIRE_SERVERS=1` is set.
 */
export function requireVeraPdf(): boolean {
  if (!onMongoAndS3 && !isThorough) return false;
  try {
    command ??= installVeraPdf();
    return true;
  } catch (error) {
    if (!(error instanceof ServerMissingError)) throw error;
    skip(`veraPDF: ${error.message}`);
    return false;
  }
}

/**
 * Validates files at a level of PDF/A, or as PDF/UA-1 (`ua1`), in one run of veraPDF, because starting
 * veraPDF takes longer than validating a file. Returns the violations of each file by its key; the list of a
 * conforming file is empty.
 * @throws {Error} if veraPDF does not report on every file.
 */
export async function validateWithVeraPdf(
  files: ReadonlyMap<string, Uint8Array>,
  level: PdfaLevel | 'ua1' = '1b',
): Promise<Map<string, ClauseFailure[]>> {
  if (files.size === 0) return new Map();
  const folder = await mkdtemp(join(tmpdir(), 'platen-verapdf-'));
  try {
    const keys = [...files.keys()];
    // Keys need not be valid file names.
    await Promise.all(keys.map((key, index) => Bun.write(join(folder, `${index}.pdf`), files.get(key)!)));
    const paths = keys.map((_, index) => join(folder, `${index}.pdf`));
    const failures = await runVeraPdf(paths, level);
    return new Map(
      keys.map((key, index) => {
        const found = failures.get(`${index}.pdf`);
        if (!found) throw new Error(`veraPDF did not report on ${key}`);
        return [key, found];
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runVeraPdf(paths: readonly string[], level: string): Promise<Map<string, ClauseFailure[]>> {
  const options = ['-f', level, '--format', 'json', '--maxfailuresdisplayed', '1', '--loglevel', '0'];
  const child = Bun.spawn([...(command ??= installVeraPdf()), ...options, ...paths], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (!stdout.startsWith('{')) throw new Error(`veraPDF failed: ${stderr.slice(0, 500)}`);
  const { report }: Report = JSON.parse(stdout);
  return new Map(report.jobs.map((job) => [basename(job.itemDetails.name), failuresOf(job)]));
}

function failuresOf({ validationResult, taskException }: Report['report']['jobs'][number]): ClauseFailure[] {
  const result = validationResult?.[0];
  if (!result) return [{ clause: 'unreadable', count: 1, example: taskException?.exceptionMessage ?? '' }];
  const failures = result.details.ruleSummaries.map(({ clause, testNumber, failedChecks, checks }) => ({
    clause: `${clause}-${testNumber}`,
    count: failedChecks,
    example: checks[0] ? `${checks[0].errorMessage} at ${checks[0].context}` : '',
  }));
  if (failures.length === 0 && !result.compliant)
    return [
      {
        clause: 'unreadable',
        count: 1,
        example: 'veraPDF reports the file as not compliant without naming a rule',
      },
    ];
  return failures;
}
