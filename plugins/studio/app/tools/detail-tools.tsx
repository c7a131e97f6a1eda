import { formatSize } from '../data/format.ts';
import { saveAs } from '../data/save.ts';
import { Button, Field, Select, TextArea } from '../ui/controls.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import { filledIn, textOf, type Tool } from './operation.ts';
import { JsonReport } from './report.tsx';
import { Verdict } from './verdict.tsx';

const PROPERTIES = [
  ['title', 'Title'],
  ['author', 'Author'],
  ['subject', 'Subject'],
  ['language', 'Language'],
] as const;

/** Writes the title, the author and other properties. */
export const properties: Tool = {
  slug: 'properties',
  name: 'Change properties',
  text: 'Write the title, the author, the subject and the language of a file.',
  icon: 'number',
  action: 'Write the properties',
  suffix: 'properties',
  initial: Object.fromEntries(PROPERTIES.map(([name]) => [name, ''])),
  request: (values, [file]) => {
    const set = filledIn(
      values,
      PROPERTIES.map(([name]) => name),
    );
    if (Object.keys(set).length === 0) return 'Enter at least one property.';
    return { path: '/v1/pdf/properties', body: { pdf: file?.id, set } };
  },
  form: (values, set) => (
    <div class="form-grid">
      {PROPERTIES.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          hint="Empty: unchanged."
          value={textOf(values, name)}
          onValue={(value) => set({ [name]: value })}
        />
      ))}
    </div>
  ),
};

/** Reads or writes the bookmarks. */
export const outline: Tool = {
  slug: 'outline',
  name: 'Bookmarks',
  text: 'Show the bookmarks of a file, or write new ones.',
  icon: 'book',
  action: 'Run',
  suffix: 'bookmarks',
  initial: { lines: '' },
  request: (values, [file]) => {
    const lines = textOf(values, 'lines')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    if (lines.length === 0) return { path: '/v1/pdf/outline', body: { pdf: file?.id }, returnsJson: true };
    const items = lines.map((line) => {
      const [page = '', ...title] = line.split(' ');
      return { title: title.join(' ').trim(), page: Number(page) };
    });
    const wrong = items.findIndex(({ title, page }) => title === '' || !Number.isInteger(page));
    if (wrong !== -1) return `Begin “${lines[wrong]}” with the number of its page, and add a title.`;
    return { path: '/v1/pdf/outline', body: { pdf: file?.id, set: items } };
  },
  form: (values, set) => (
    <TextArea
      label="New bookmarks (optional)"
      hint="One bookmark on each line: the page and the title. They replace the bookmarks of the file. Without lines, the bookmarks of the file are shown."
      rows={5}
      placeholder={'1 Summary\n4 Prices'}
      value={String(values['lines'])}
      onValue={(lines) => set({ lines })}
    />
  ),
  report: (result) => <JsonReport result={result} />,
};

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

/** Stamps text on the pages. */
export const stamp: Tool = {
  slug: 'stamp',
  name: 'Stamp',
  text: 'Print a short text at a place on the pages, such as “Paid”.',
  icon: 'pdfa',
  action: 'Stamp the pages',
  suffix: 'stamped',
  initial: { text: 'PAID', position: 'top-right', pages: '', color: '#b00020', size: '24' },
  request: (values, [file]) =>
    textOf(values, 'text') === ''
      ? 'Enter the text of the stamp.'
      : {
          path: '/v1/pdf/stamp',
          body: {
            pdf: file?.id,
            font_size: Number(textOf(values, 'size')) || 24,
            ...filledIn(values, ['text', 'position', 'pages', 'color']),
          },
        },
  form: (values, set) => (
    <>
      <Field label="Text" value={textOf(values, 'text')} onValue={(text) => set({ text })} />
      <div class="form-grid">
        <Select
          label="Position"
          value={textOf(values, 'position')}
          choices={[
            ['top-left', 'Top left'],
            ['top', 'Top centre'],
            ['top-right', 'Top right'],
            ['center', 'Centre'],
            ['bottom-left', 'Bottom left'],
            ['bottom', 'Bottom centre'],
            ['bottom-right', 'Bottom right'],
          ]}
          onValue={(position) => set({ position })}
        />
        <Field
          label="Pages (optional)"
          placeholder="1-3, 5"
          value={textOf(values, 'pages')}
          onValue={(pages) => set({ pages })}
        />
        <Field
          label="Size in points"
          type="number"
          value={textOf(values, 'size')}
          onValue={(size) => set({ size })}
        />
        <Field
          label="Colour"
          hint="Such as #b00020."
          value={textOf(values, 'color')}
          onValue={(color) => set({ color })}
        />
      </div>
    </>
  ),
};
