import { useState } from 'preact/hooks';
import { post, reasonOf, retrying, send } from '../data/api.ts';
import { saveAs } from '../data/save.ts';
import { useSession } from '../data/session.ts';
import { Button } from '../ui/controls.tsx';
import { FormError, ViewHead } from '../ui/states.tsx';
import type { ViewProps } from '../view-props.ts';
import { DropZone, FileList } from './file-list.tsx';
import { FillForm } from './fill-form.tsx';
import { KeepResult } from './keep-result.tsx';
import type { OperationRequest, Tool, Values } from './operation.ts';
import { resultFieldsOf } from './result-fields.ts';
import { EquivalentCall, Results, type ResultFile } from './result.tsx';
import { ToolPage } from './tool-page.tsx';
import { findTool } from './tools.ts';
import { TOOL_UPLOAD_SECONDS, upload, type UploadedFile } from './uploads.ts';

/** Renders a tool: its files, its form, the result and the equivalent API request. */
export function ToolView({ params: [slug = ''] }: ViewProps) {
  const { service } = useSession();
  const tool = findTool(slug);
  if (!tool || tool.isOffered?.(service) === false)
    return (
      <div class="page">
        <ViewHead
          title={tool ? `${tool.name} is turned off` : 'Tool not found'}
          text={
            tool
              ? 'The operator of this server has not turned this tool on.'
              : 'There is no tool at this address.'
          }
        />
        <p>
          <a href="/studio/tools">All tools</a>
        </p>
      </div>
    );
  return 'action' in tool ? <ToolForm tool={tool} /> : <FillForm />;
}

/** A request and the JSON of its response. */
interface Done {
  request: OperationRequest;
  result: unknown;
}

function ToolForm({ tool }: { tool: Tool }) {
  const [files, setFiles] = useState<UploadedFile[]>([]);
  const [values, setValues] = useState(tool.initial);
  const [busy, setBusy] = useState<'upload' | 'work'>();
  const [error, setError] = useState('');
  const [isKept, setKept] = useState(false);
  const [done, setDone] = useState<Done>();

  const add = async (chosen: File[]) => {
    setBusy('upload');
    setError('');
    let current = '';
    try {
      let all = tool.isMany ? files : [];
      for (const file of tool.isMany ? chosen : chosen.slice(0, 1)) {
        current = file.name;
        all = [...all, await retrying(() => upload(file, TOOL_UPLOAD_SECONDS, tool.accepts !== undefined))];
        setFiles(all);
      }
      setDone(undefined);
    } catch (thrown) {
      setError(reasonOf(thrown, { file: current }));
    }
    setBusy(undefined);
  };
  const change = (part: Values) => {
    setValues((current) => ({ ...current, ...part }));
    setDone(undefined);
  };
  const makesNoFile = ({ returnsJson }: OperationRequest) =>
    tool.report !== undefined && returnsJson === true;
  const run = async () => {
    const request = tool.request(values, files);
    if (typeof request === 'string') return setError(request);
    setBusy('work');
    setError('');
    try {
      const fields = makesNoFile(request) ? {} : resultFieldsOf({ files, suffix: tool.suffix, isKept });
      setDone({ request, result: await post<unknown>(request.path, { ...request.body, ...fields }) });
    } catch (thrown) {
      setError(reasonOf(thrown, { pdf: files[0]?.name ?? 'The file' }));
    }
    setBusy(undefined);
  };
  const downloadAll = async () => {
    if (!done) return;
    const { file_name } = resultFieldsOf({ files, suffix: tool.suffix, isKept });
    // The operation runs again and stores its parts again, so they are kept for the shortest time that the
    // API allows.
    const body = { ...done.request.body, file_name, expires_in: 60, output: 'binary' };
    const response = await send('POST', done.request.path, body);
    saveAs(await response.blob(), file_name.replace(/\.pdf$/, '.zip'));
  };
  const request = done?.request ?? tool.request(values, files);
  const isReport = typeof request === 'string' ? tool.report !== undefined : makesNoFile(request);
  return (
    <ToolPage
      title={tool.name}
      text={tool.text}
      form={
        <>
          {files.length > 0 && (
            <FileList
              files={files}
              onChange={(next) => {
                setFiles(next);
                setDone(undefined);
              }}
            />
          )}
          {(tool.isMany || files.length === 0) && (
            <DropZone
              isMany={tool.isMany ?? false}
              {...(tool.accepts && { accepts: tool.accepts })}
              isBusy={busy === 'upload'}
              onFiles={(chosen) => void add(chosen)}
            />
          )}
          {tool.form?.(values, change)}
          {!isReport && <KeepResult isKept={isKept} onKept={setKept} />}
          <FormError error={error} />
          <Button
            kind="primary"
            size="large"
            isBusy={busy === 'work'}
            disabled={files.length === 0}
            onClick={() => void run()}
          >
            {tool.action}
          </Button>
        </>
      }
      result={
        <>
          {!done ? (
            <div class="well result-empty">The {isReport ? 'report' : 'result'} appears here.</div>
          ) : tool.report && !hasFiles(done.result) ? (
            tool.report(done.result)
          ) : (
            <Results
              files={filesOf(done.result)}
              hidesPages={tool.hidesPages}
              hasProof={tool.hasProof}
              sourceSize={tool.comparesSize ? files[0]?.size : undefined}
              onDownloadAll={downloadAll}
            />
          )}
          {typeof request === 'object' && <EquivalentCall request={request} files={files} />}
        </>
      }
    />
  );
}

function hasFiles(result: unknown): boolean {
  return typeof result === 'object' && result !== null && ('file_id' in result || 'parts' in result);
}

function filesOf(result: unknown): ResultFile[] {
  const made = result as ResultFile | { parts: ResultFile[] };
  return 'parts' in made ? made.parts : [made];
}
