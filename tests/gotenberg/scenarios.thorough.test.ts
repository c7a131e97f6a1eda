import { expect, test } from 'bun:test';
import { requireTools } from '../support/pdf/pdf.ts';
import { isThorough } from '../support/suite.ts';
import { differences } from './differences.ts';
import { ownName } from './own-name.ts';
import { runScenarios } from './runner.ts';
import { readSourceFolder } from './source-folder.ts';
import { startPlaten } from './target.ts';

const RUN_LIMIT_MS = 3_600_000;

/** A clone of Gotenberg, whose scenarios stay outside this repository. */
const clone = process.env['GOTENBERG_CLONE'];
const canRun = isThorough && clone !== undefined && requireTools();
if (isThorough && clone === undefined)
  console.log("skipped: Gotenberg's scenarios: GOTENBERG_CLONE does not name a clone of Gotenberg");

test.skipIf(!canRun)(
  "Gotenberg's scenarios pass, except for the documented differences",
  async () => {
    const outcomes = await runScenarios({
      source: readSourceFolder(clone ?? ''),
      start: startPlaten,
      hostName: await ownName(),
      version: '8.36.0',
    });
    const known = new Set(differences.flatMap(({ scenarios }) => scenarios));
    const failures = outcomes.flatMap(({ scenario: { feature, name }, failure }) =>
      failure && !known.has(`${feature}: ${name}`) ? [{ scenario: `${feature}: ${name}`, ...failure }] : [],
    );
    expect(failures).toEqual([]);
  },
  RUN_LIMIT_MS,
);
