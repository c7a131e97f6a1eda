import { checkData } from '@platen/templates/check-data';
import { explainTaskFailure, type RawJson, type TaskClient } from '../../src/plugin.ts';
import type { DataFault, VariableSchema } from './contract.ts';

/** The tasks of `tasks.ts`, called in the sandbox. */
export type TemplateTasks = TaskClient<typeof import('./tasks.ts')>;

/** Larger data is parsed in the sandbox, because the time to parse it does not depend on its size alone. */
const MAX_IN_PROCESS_BYTES = 65_536;
const TIMEOUT_MS = 5_000;

const TASK_FAILURES = {
  path: 'data',
  deadline: `parsing the data takes longer than ${TIMEOUT_MS} ms`,
  memory: 'parsing the data exceeds the memory limit',
  waiting: 'templates',
  failed: 'the data could not be parsed',
};

/** Creates the function that checks data against a schema; see `TemplateSource.checkData`. */
export function createDataCheck(tasks: TemplateTasks) {
  return async (schema: VariableSchema, data: RawJson): Promise<readonly DataFault[]> => {
    if (Object.keys(schema).length === 0) return [];
    if (data.sizeBytes <= MAX_IN_PROCESS_BYTES) return checkData(schema, JSON.parse(data.text));
    return tasks
      .checkData({ schema, data: data.bytes }, { timeoutMs: TIMEOUT_MS })
      .catch((error: unknown) => {
        throw explainTaskFailure(error, TASK_FAILURES);
      });
  };
}
