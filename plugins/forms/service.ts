import type { Result } from '@platen/pdf';
import { RawJson, type TaskClient } from '../../src/plugin.ts';
import { pdfTaskLimits, unwrapTaskResult } from '../files/exports.ts';
import type { MadePdf } from '../files/contract.ts';
import { runFormTask } from '../documents/exports.ts';
import type { RenderService } from '../render/contract.ts';
import type { FormsService } from './contract.ts';
import type { CountedFormResult } from './tasks.ts';

/** The tasks of `tasks.ts`, called in the sandbox. */
type FormTasks = TaskClient<typeof import('./tasks.ts')>;

interface FormParts {
  tasks: FormTasks;
  /** The plugin `render`, or `undefined` if it is off. */
  render: RenderService | undefined;
}

/** Creates the service, whose work runs in the sandbox. */
export function createFormsService({ tasks, render }: FormParts): FormsService {
  const finish = (
    accountId: string,
    run: (drawn: Uint8Array[] | undefined) => Promise<Result<CountedFormResult>>,
  ): Promise<MadePdf> => runFormTask({ render, accountId, run });

  return {
    list: async (pdf) => new RawJson(await unwrapTaskResult('pdf', tasks.list({ pdf }, pdfTaskLimits))),
    fillIn: ({ account, ...request }) =>
      finish(account.id, (drawn) => tasks.fillIn({ ...request, drawn }, pdfTaskLimits)),
    add: ({ account, pdf, fields }) =>
      finish(account.id, (drawn) => tasks.add({ pdf, definitions: [...fields], drawn }, pdfTaskLimits)),
  };
}
