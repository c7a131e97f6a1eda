import { formatSize } from '../data/format.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageImage } from '../ui/page-image.tsx';
import type { OperationRequest } from './operation.ts';
import type { UploadedFile } from './uploads.ts';

/** A file that an operation made. */
export interface ResultFile {
  url: string;
  file_id: string;
  file_size: number;
}

/** Renders the files that an operation made. */
export function Results({
  files,
  hidesPages = false,
}: {
  files: ResultFile[];
  hidesPages?: boolean | undefined;
}) {
  return (
    <ul class={files.length > 1 ? 'results many' : 'results'} aria-label="Results">
      {files.map((file, index) => (
        <li key={file.file_id}>
          <div class="well result-page">
            {hidesPages ? (
              <span class="locked">
                <Icon name="shield" size={20} />
                The file is encrypted. Its pages cannot be shown here.
              </span>
            ) : (
              <PageImage
                url={`/v1/files/${file.file_id}/pages/1.png?width=${files.length > 1 ? 400 : 900}`}
                alt={`First page of result ${index + 1}`}
              />
            )}
          </div>
          <div class="row">
            <LinkButton
              href={file.url}
              kind={files.length > 1 ? 'plain' : 'primary'}
              icon="download"
              download
            >
              {files.length > 1 ? `Part ${index + 1}` : 'Download'}
            </LinkButton>
            <span class="soft">{formatSize(file.file_size)}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Renders the equivalent API request of a program. */
export function EquivalentCall({ request, files }: { request: OperationRequest; files: UploadedFile[] }) {
  return (
    <section class="stack close">
      <h2>Use it from code</h2>
      <CodeBlock label="curl example" code={callOf(request, files)} />
    </section>
  );
}

/** The longest JSON that a command shows on one line. */
const MAX_LINE = 60;

/** Returns the curl command of an operation. Files are sent as parts, all other fields as JSON. Passwords are not shown. */
function callOf({ path, body, answersJson }: OperationRequest, files: UploadedFile[]): string {
  const { pdf, pdfs: _pdfs, ...fields } = body;
  const quote = (text: string) => text.replaceAll("'", String.raw`'\''`);
  const part = pdf === undefined ? 'pdfs' : 'pdf';
  const named = files.length > 0 ? files : [{ name: 'a.pdf' }];
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    name.endsWith('_password') ? '…' : value,
  ]);
  const rest = { ...Object.fromEntries(shown), ...(!answersJson && { output: 'binary' }) };
  const line = JSON.stringify(rest);
  const json = line.length > MAX_LINE ? JSON.stringify(rest, null, 2).replaceAll('\n', '\n  ') : line;
  const lines = [
    `curl -fsS ${location.origin}${path}`,
    `-H "Authorization: Bearer $PLATEN_KEY"`,
    ...named.map(({ name }) => `-F '${part}=@${quote(name)}'`),
    ...(line === '{}' ? [] : [`-F 'request=${quote(json)};type=application/json'`]),
    ...(answersJson ? [] : ['-o result.pdf']),
  ];
  return lines.join(' \\\n  ');
}
