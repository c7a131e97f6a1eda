import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ServerMissingError } from '../../scripts/servers/maven.mjs';
import { installVeraPdf } from '../../scripts/servers/verapdf.mjs';
import { skip } from './servers.ts';

/** A rule of ISO 19005-1 that a file breaks, as veraPDF says. */
export interface ClauseFailure {
  /** Clause and number of the test, such as `6.3.4-1`; `unreadable` when veraPDF cannot read the file at all. */
  clause: string;
  /** How often it is broken. */
  count: number;
  /** The first place, and what is wrong there. */
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
 * Tells whether veraPDF is there or can be installed; when not, says so on one line.
 * @throws {Error} when it cannot and `REQUIRE_SERVERS=1` makes a skip a failure.
 */
export function requireVeraPdf(): boolean {
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
 * Checks files against PDF/A-1b with veraPDF; all at once, as its start takes longer than a file.
 * Gives what each one breaks by its key: nothing for a file that conforms.
 * @throws {Error} when veraPDF does not answer for every file.
 */
export async function checkArchives(
  files: ReadonlyMap<string, Uint8Array>,
): Promise<Map<string, ClauseFailure[]>> {
  if (files.size === 0) return new Map();
  const folder = await mkdtemp(join(tmpdir(), 'platen-verapdf-'));
  try {
    const keys = [...files.keys()];
    // The names of files are the caller's, and not all can be a file's name.
    await Promise.all(keys.map((key, index) => Bun.write(join(folder, `${index}.pdf`), files.get(key)!)));
    const paths = keys.map((_, index) => join(folder, `${index}.pdf`));
    const failures = await runVeraPdf(paths);
    return new Map(
      keys.map((key, index) => {
        const found = failures.get(`${index}.pdf`);
        if (!found) throw new Error(`veraPDF does not answer for ${key}`);
        return [key, found];
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runVeraPdf(paths: readonly string[]): Promise<Map<string, ClauseFailure[]>> {
  const options = ['-f', '1b', '--format', 'json', '--maxfailuresdisplayed', '1', '--loglevel', '0'];
  const child = Bun.spawn([...(command ??= installVeraPdf()), ...options, ...paths], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (!stdout.startsWith('{')) throw new Error(`veraPDF does not run: ${stderr.slice(0, 500)}`);
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
    return [{ clause: 'unreadable', count: 1, example: 'veraPDF calls it not compliant and names no rule' }];
  return failures;
}
