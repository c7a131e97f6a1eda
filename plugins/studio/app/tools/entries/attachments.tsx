import { formatSize } from '../../data/format.ts';
import { saveAs } from '../../data/save.ts';
import { Button, Field, Select } from '../../ui/controls.tsx';
import { DropArea } from '../../ui/drop-area.tsx';
import { textOf, type Tool } from '../operation.ts';
import { Verdict } from '../verdict.tsx';

interface Attachment {
  name: string;
  file_name: string;
  size: number | null;
  mime_type: string | null;
  data?: string;
}

/** Lists, extracts, adds or removes attachments. */
export const attachments: Tool = {
  slug: 'attachments',
  name: 'Attachments',
  text: 'List the files in a PDF, take one out, add one or remove one.',
  icon: 'files',
  group: 'Properties',
  order: 4,
  action: 'Run',
  suffix: 'attachments',
  initial: { task: 'list', name: '', data: '' },
  request: (values, [file]) => {
    const path = '/v1/pdf/attachments';
    const { task, data } = values;
    const name = textOf(values, 'name');
    if (task === 'list') return { path, body: { pdf: file?.id }, returnsJson: true };
    if (name === '') return task === 'add' ? 'Choose a file to attach.' : 'Enter the name of the attachment.';
    if (task === 'extract') return { path, body: { pdf: file?.id, extract: [name] }, returnsJson: true };
    const change = task === 'add' ? { add: [{ name, data }] } : { remove: [name] };
    return { path, body: { pdf: file?.id, ...change } };
  },
  form: (values, set) => (
    <>
      <Select
        label="Task"
        value={textOf(values, 'task')}
        choices={[
          ['list', 'List the attachments'],
          ['extract', 'Take an attachment out'],
          ['add', 'Add an attachment'],
          ['remove', 'Remove an attachment'],
        ]}
        onValue={(task) => set({ task, name: '', data: '' })}
      />
      {values['task'] === 'add' && (
        <DropArea
          text={textOf(values, 'name') || 'Drop the file to attach here'}
          label="File to attach"
          isMany={false}
          isBusy={false}
          onFiles={([file]) => {
            if (file) void base64Of(file).then((data) => set({ name: file.name, data }));
          }}
        />
      )}
      {(values['task'] === 'extract' || values['task'] === 'remove') && (
        <Field
          label="Name of the attachment"
          value={textOf(values, 'name')}
          onValue={(name) => set({ name })}
        />
      )}
    </>
  ),
  report: (result) => <AttachmentsReport {...(result as { attachments: Attachment[] })} />,
};

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function AttachmentsReport({ attachments: found }: { attachments: Attachment[] }) {
  if (found.length === 0) return <Verdict outcome="open" title="The file has no attachments" />;
  return (
    <ul class="file-list" aria-label="Attachments">
      {found.map(({ name, file_name: fileName, size, mime_type: type, data }) => (
        <li key={fileName} class="file">
          <span class="file-text">
            <span class="cell-title">{name}</span>
            <span class="cell-sub">
              {[type, size !== null && formatSize(size)].filter(Boolean).join(', ')}
            </span>
          </span>
          {data !== undefined && (
            <Button
              size="small"
              icon="download"
              onClick={() =>
                saveAs(new Blob([Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0))]), fileName)
              }
            >
              Download
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
