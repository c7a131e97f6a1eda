import { basename, dirname, join } from 'node:path';
import { UsageError } from '../failures.ts';
import { startProgress } from '../progress.ts';
import { connect, type ServiceOptions } from '../service/connect.ts';
import { requireTemplates } from '../templates/folder.ts';
import { partialsBeside, stagePartials } from '../templates/stage.ts';
import { requireWritable, writeInside } from '../templates/write-folder.ts';
import type { CaseResult } from './case-result.ts';
import { checkTemplate } from './check.ts';
import { junitReport } from './junit.ts';
import { clearPictures } from './pictures.ts';
import { reportResults, sortResults } from './report.ts';

/** How the templates of a folder are tested. */
export interface TestOptions {
  folder: string;
  update: boolean;
  /** The file for a JUnit report. */
  junit: string | undefined;
  /** The folder for pictures. */
  output: string;
  json: boolean;
  service: ServiceOptions;
}

/** Tests the templates of a folder, and prints a line for each case. Returns the exit status. */
export async function runTests({
  folder,
  update,
  junit,
  output,
  json,
  service,
}: TestOptions): Promise<number> {
  const templates = requireTemplates(folder);
  const tested = templates.filter(({ state }) => state.cases.size > 0);
  const total = tested.reduce((sum, { state }) => sum + state.cases.size, 0);
  if (total === 0)
    throw new UsageError(
      `${folder} has no cases; write the data of one to ${join(templates[0]?.label ?? '', 'cases', 'first.json')}, as {"data": {…}}`,
    );
  if (junit !== undefined) requireWritable(dirname(junit), basename(junit));
  const siblings = partialsBeside(templates);
  const results: CaseResult[] = [];
  const warnings: string[] = [];
  {
    await using client = await connect(service, { json });
    await stagePartials(client, siblings);
    using progress = startProgress();
    const onResult = (result: CaseResult) => {
      results.push(result);
      progress.show(`${results.length} of ${total} cases`);
    };
    progress.show(`0 of ${total} cases`);
    for (const local of tested) {
      for (const name of local.state.cases.keys()) clearPictures(output, join(local.label, name));
      warnings.push(...(await checkTemplate(client, local, { siblings, update, output, onResult })));
    }
  }
  const sorted = sortResults(results);
  const status = reportResults(sorted, { warnings, json });
  // After the results, which a report that cannot be written must not hide.
  if (junit !== undefined) writeInside(dirname(junit), basename(junit), junitReport(sorted));
  return status;
}
