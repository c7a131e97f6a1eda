import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../data/api.ts';
import { formatCountOf, formatDay, formatSize } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import type { Proof } from '../data/types.ts';
import { attempt } from '../ui/attempt.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageImage } from '../ui/page-image.tsx';
import { PageTurner } from '../ui/page-turner.tsx';
import type { OperationRequest } from './operation.ts';
import type { UploadedFile } from './uploads.ts';
import { Verdict } from './verdict.tsx';

/** A file that an operation made. */
export interface ResultFile {
  url: string;
  file_id: string;
  file_size: number;
  file_name: string | null;
  expires_at: string | null;
}

interface ResultsProps {
  files: ResultFile[];
  hidesPages?: string | undefined;
  /** The size of the source, if the result is compared with it. */
  sourceSize?: number | undefined;
  /** Shows the standard to which the result was proved to conform. */
  hasProof?: boolean | undefined;
  /** Downloads all files as a zip archive. */
  onDownloadAll?: (() => Promise<void>) | undefined;
}

/**
 * Renders the files that an operation made: how to download them, how long they are kept, and their pages.
 */
export function Results({ files, onDownloadAll, ...rest }: ResultsProps) {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => head.current?.scrollIntoView({ block: 'nearest' }), []);
  const [isBusy, setBusy] = useState(false);
  const [first] = files;
  const downloadAll = async () => {
    setBusy(true);
    await attempt(async () => onDownloadAll?.());
    setBusy(false);
  };
  return (
    <section class="stack" aria-label="Result">
      <div class="result-head" ref={head}>
        {files.length === 1 && first ? (
          <>
            <LinkButton href={first.url} kind="primary" icon="download" download={first.file_name ?? true}>
              Download
            </LinkButton>
            <span class="soft">{sizeOf(first.file_size, rest.sourceSize)}</span>
          </>
        ) : (
          <>
            <Button kind="primary" icon="download" isBusy={isBusy} onClick={() => void downloadAll()}>
              Download all
            </Button>
            <span class="soft">{formatCountOf(files.length, 'file')} in a zip archive</span>
          </>
        )}
        <span class="soft">
          {first?.expires_at ? `Kept until ${formatDay(first.expires_at)}` : 'Kept until you delete it'} in{' '}
          <a href="/studio/files">Files</a>.
        </span>
      </div>
      {rest.hasProof && first && <ProofVerdict file={first} />}
      {files.length === 1 && first ? (
        <ResultPages key={first.file_id} file={first} hidesPages={rest.hidesPages} />
      ) : (
        <ul class="results many" aria-label="Results">
          {files.map((file, index) => (
            <li key={file.file_id}>
              <div class="well result-page">
                <PageImage
                  url={`/v1/files/${file.file_id}/pages/1.png?width=400`}
                  alt={`First page of result ${index + 1}`}
                />
              </div>
              <div class="row">
                <LinkButton href={file.url} icon="download" download={file.file_name ?? true}>
                  Part {index + 1}
                </LinkButton>
                <span class="soft">{formatSize(file.file_size)}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ResultPages({ file, hidesPages }: { file: ResultFile; hidesPages: string | undefined }) {
  const { file_id: id } = file;
  const stored = useResource(hidesPages ? undefined : `file ${id}`, (signal) =>
    get<{ pages: number | null }>(`/v1/files/${id}`, signal),
  );
  const [page, setPage] = useState(1);
  const pages = stored.data?.pages ?? 1;
  return (
    <div class="well result-page">
      {hidesPages ? (
        <span class="locked">
          <Icon name="shield" size={20} />
          {hidesPages}
        </span>
      ) : (
        <>
          {pages > 1 && <PageTurner page={page} pages={pages} onPage={setPage} />}
          <PageImage url={`/v1/files/${id}/pages/${page}.png?width=900`} alt={`Page ${page} of the result`} />
        </>
      )}
    </div>
  );
}

function ProofVerdict({ file }: { file: ResultFile }) {
  const proof = useResource(`file proof ${file.file_id}`, (signal) =>
    get<Proof>(`/v1/files/${file.file_id}/proof`, signal),
  );
  return (
    <>
      {proof.data?.claims.map(({ standard, level, checked_by, rules }) => (
        <Verdict key={`${standard} ${level}`} outcome="good" title={`Conforms to ${standard}-${level}`}>
          <p class="soft">
            {formatCountOf(rules.length, 'rule')} confirmed by {checked_by}.
          </p>
        </Verdict>
      ))}
    </>
  );
}

/** Describes the size of a result, and how it differs from the size of its source. */
function sizeOf(bytes: number, sourceBytes: number | undefined): string {
  if (!sourceBytes) return formatSize(bytes);
  const sizes = `${formatSize(sourceBytes)} → ${formatSize(bytes)}`;
  const percent = Math.round((1 - bytes / sourceBytes) * 100);
  return percent > 0 ? `${sizes}, ${percent}% smaller` : `${sizes}, not smaller`;
}

/** Renders the API request with which a program does the same. */
export function EquivalentCall({ request, files }: { request: OperationRequest; files: UploadedFile[] }) {
  return (
    <section class="stack close">
      <h2>Use it from code</h2>
      <CodeBlock label="curl example" code={callOf(request, files)} />
    </section>
  );
}

/** The longest JSON that a command shows on one line, in characters. */
const MAX_LINE_CHARACTERS = 60;

/** The longest text that a command shows in full, in characters. */
const MAX_TEXT_CHARACTERS = 4000;

/** Shortens long texts in JSON, such as a file in base64. */
function shortened(_: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_TEXT_CHARACTERS ? `${value.slice(0, 40)}…` : value;
}

/**
 * Returns the curl command of an operation. Files are sent as parts, all other fields as JSON. Passwords are
 * not shown.
 */
function callOf({ path, body, returnsJson }: OperationRequest, files: UploadedFile[]): string {
  const { pdf: _pdf, pdfs: _pdfs, ...fields } = body;
  const quote = (text: string) => text.replaceAll("'", String.raw`'\''`);
  const part = 'pdfs' in body ? 'pdfs' : 'pdf';
  const named = files.length > 0 ? files : [{ name: 'a.pdf' }];
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    name.endsWith('password') ? '…' : value,
  ]);
  const rest = { ...Object.fromEntries(shown), ...(!returnsJson && { output: 'binary' }) };
  const line = JSON.stringify(rest, shortened);
  const json =
    line.length > MAX_LINE_CHARACTERS
      ? JSON.stringify(JSON.parse(line), null, 2).replaceAll('\n', '\n  ')
      : line;
  const lines = [
    `curl -fsS ${location.origin}${path}`,
    `-H "Authorization: Bearer $PLATEN_API_KEY"`,
    ...named.map(({ name }) => `-F '${part}=@${quote(name)}'`),
    ...(line === '{}' ? [] : [`-F 'request=${quote(json)};type=application/json'`]),
    ...(returnsJson ? [] : ['-o result.pdf']),
  ];
  return lines.join(' \\\n  ');
}
