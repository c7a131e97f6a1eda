import { useState } from 'preact/hooks';
import { post, reasonOf, retrying } from '../data/api.ts';
import { useSession } from '../data/session.ts';
import { Button } from '../ui/controls.tsx';
import { Empty, FormError, ViewHead } from '../ui/states.tsx';
import type { ViewProps } from '../views.ts';
import { DropZone, FileList } from './file-list.tsx';
import { FillForm } from './fill-form.tsx';
import { EquivalentCall, Results, type ResultFile } from './result.tsx';
import { tools, type OperationRequest, type Tool } from './tools.tsx';
import { upload, type UploadedFile } from './uploads.ts';

/** Renders a tool: files, a form, the result and the equivalent call. */
export function ToolView({ params: [slug = ''] }: ViewProps) {
  const { service } = useSession();
  if (slug === 'fill') return <FillForm />;
  const tool = tools.find((entry) => entry.slug === slug);
  if (!tool || (tool.needsProtection && !service.may_protect))
    return <Empty icon="tools" title="No such tool" text={<a href="/studio/tools">All tools</a>} />;
  return <ToolForm tool={tool} />;
}

function ToolForm({ tool }: { tool: Tool }) {
  const [files, setFiles] = useState<UploadedFile[]>([]);
  const [values, setValues] = useState(tool.initial);
  const [busy, setBusy] = useState<'upload' | 'work'>();
  const [error, setError] = useState('');
  const [results, setResults] = useState<ResultFile[]>();
  const [done, setDone] = useState<OperationRequest>();

  const add = async (chosen: File[]) => {
    setBusy('upload');
    setError('');
    try {
      let all = tool.isMany ? files : [];
      for (const file of tool.isMany ? chosen : chosen.slice(0, 1)) {
        all = [...all, await retrying(() => upload(file))];
        setFiles(all);
      }
      setResults(undefined);
    } catch (problem) {
      setError(reasonOf(problem));
    }
    setBusy(undefined);
  };
  const run = async () => {
    const request = tool.request(values, files);
    if (typeof request === 'string') return setError(request);
    setBusy('work');
    setError('');
    try {
      const answer = await post<ResultFile | { parts: ResultFile[] }>(request.path, request.body);
      setResults('parts' in answer ? answer.parts : [answer]);
      setDone(request);
    } catch (problem) {
      setError(reasonOf(problem));
    }
    setBusy(undefined);
  };
  const request = done ?? tool.request(values, files);
  return (
    <div class="page">
      <p class="crumb">
        <a href="/studio/tools">PDF tools</a>
      </p>
      <ViewHead title={tool.name} text={tool.text} />
      <div class="tool">
        <div class="stack">
          {files.length > 0 && (
            <FileList
              files={files}
              onChange={(next) => {
                setFiles(next);
                setResults(undefined);
                setDone(undefined);
              }}
            />
          )}
          {(tool.isMany || files.length === 0) && (
            <DropZone
              isMany={tool.isMany ?? false}
              isBusy={busy === 'upload'}
              onFiles={(chosen) => void add(chosen)}
            />
          )}
          {tool.form?.(values, (change) => {
            setValues({ ...values, ...change });
            setDone(undefined);
          })}
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
        </div>
        <div class="stack">
          {results ? (
            <Results files={results} hidesPages={tool.hidesPages} />
          ) : (
            <div class="well result-empty">The result appears here.</div>
          )}
          {typeof request === 'object' && <EquivalentCall request={request} files={files} />}
        </div>
      </div>
    </div>
  );
}
