import { TextArea } from '../../ui/controls.tsx';
import { textOf, type Tool } from '../operation.ts';
import { JsonReport } from '../report.tsx';
import { readJson } from '../read-json.ts';

/** Runs several operations, one after the other. */
export const pipeline: Tool = {
  slug: 'pipeline',
  name: 'Several steps',
  text: 'Run several operations on a file with one request.',
  icon: 'play',
  group: 'Automation',
  order: 1,
  action: 'Run the steps',
  suffix: 'result',
  initial: {
    steps: JSON.stringify(
      [{ do: 'stamp', text: 'COPY', position: 'top-right' }, { do: 'compress' }],
      null,
      2,
    ),
  },
  request: (values, [file]) => {
    const steps = readJson(textOf(values, 'steps'));
    if (!Array.isArray(steps)) return 'The steps must be a list in JSON.';
    return { path: '/v1/pdf/pipeline', body: { pdf: file?.id, steps } };
  },
  form: (values, set) => (
    <TextArea
      label="Steps"
      hint="A list in JSON. “do” names the operation, and the other fields are the fields of its request."
      rows={10}
      isCode
      value={String(values['steps'])}
      onValue={(steps) => set({ steps })}
    />
  ),
  report: (result) => <JsonReport result={result} />,
};
