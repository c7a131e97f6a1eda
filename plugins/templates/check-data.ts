import { explainTaskFailure, type RawJson, type TaskClient } from '../../src/plugin.ts';
import type { DataFault, VariableSchema } from './contract.ts';
import { checkData } from './variables.ts';

/** The tasks of `tasks.ts`, called in the sandbox. */
export type TemplateTasks = TaskClient<typeof import('./tasks.ts')>;

/** Larger data are parsed in the sandbox: their size says nothing about the time that takes. */
const SMALL_BYTES = 65_536;
const TIMEOUT_MS = 5_000;

const blame = {
  path: 'data',
  deadline: `were not parsed after ${TIMEOUT_MS} ms`,
  memory: 'need more memory than they may have',
  waiting: 'templates',
  failed: 'the data could not be parsed',
};

/** Makes the check of data by a schema; see `TemplateSource.checkData`. */
export function createDataCheck(tasks: TemplateTasks) {
  return async (schema: VariableSchema, data: RawJson): Promise<readonly DataFault[]> => {
    if (Object.keys(schema).length === 0) return [];
    if (data.sizeBytes <= SMALL_BYTES) return checkData(schema, JSON.parse(data.text));
    return tasks
      .checkData({ schema, data: data.bytes }, { timeoutMs: TIMEOUT_MS })
      .catch((error: unknown) => {
        throw explainTaskFailure(error, blame);
      });
  };
}
