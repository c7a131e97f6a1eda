import type { FileStore, TaskClient } from '../../src/plugin.ts';
import { handOver, linkTo, settle, taskLimits } from '../pdf-tools/contract.ts';
import type { RenderService } from '../render/contract.ts';
import type { FormsService } from './contract.ts';

/** The tasks of `tasks.ts`, called in the tool process. */
export type FormTasks = TaskClient<typeof import('./tasks.ts')>;

/** What the service works with. */
export interface FormParts {
  tasks: FormTasks;
  files: FileStore;
  /** `undefined` when the plugin is off. */
  render: RenderService | undefined;
}

/** Makes the operations over the tool process and the file store. */
export function createFormsService({ tasks, files }: FormParts): FormsService {
  return {
    async add({ pdf, fields }, output) {
      const added = await settle('pdf', tasks.add({ pdf, definitions: [...fields] }, taskLimits));
      return handOver(files, added, output);
    },
    list: (pdf) => settle('pdf', tasks.list({ pdf }, taskLimits)),
    link: (fileId) => linkTo(files, fileId),
  };
}
