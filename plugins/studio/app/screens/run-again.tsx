import { readObject } from '../data/read-object.ts';
import { useState } from 'preact/hooks';
import { get, post } from '../data/api.ts';
import { ownRequest, rememberRequest, type GenerateRequest } from '../data/own-requests.ts';
import { forget, useResource } from '../data/resource.ts';
import type { Generation, Template } from '../data/types.ts';
import { navigate } from '../router.ts';
import { attempt, useSubmission } from '../ui/attempt.ts';
import { Button, Field, TextArea } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, Loaded } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

/**
 * Renders the button that makes a document again: with the same request if this page has sent it, otherwise
 * from the template of the document with data that the person enters. The service stores no requests, so
 * other documents have no button.
 */
export function RunAgain({ document, hasTemplate }: { document: Generation; hasTemplate: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const request = ownRequest(document.id);
  const isPdf = document.content_type === 'application/pdf';
  if (!isPdf || (!request && !hasTemplate)) return null;
  const repeat = async (earlier: GenerateRequest) => {
    setBusy(true);
    await attempt(() => run(earlier));
    setBusy(false);
  };
  return (
    <>
      <Button icon="refresh" isBusy={isBusy} onClick={() => (request ? void repeat(request) : setOpen(true))}>
        Run again
      </Button>
      {isOpen && <RunDialog document={document} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Makes a document and shows it. @throws {ApiError} when the request fails */
async function run(request: GenerateRequest): Promise<void> {
  const { id } = await post<{ id: string }>('/v1/generate', request);
  rememberRequest(id, request);
  forget('generations');
  toast('The PDF is ready.');
  navigate(`/studio/generations/${id}`);
}

function RunDialog({ document, onClose }: { document: Generation; onClose: () => void }) {
  const id = document.template_id ?? '';
  const template = useResource(`template ${id}`, (signal) => get<Template>(`/v1/templates/${id}`, signal));
  return (
    <Dialog title="Run again" size="wide" onClose={onClose}>
      <Loaded from={template}>
        {(found) => <RunForm document={document} template={found} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function RunForm(props: { document: Generation; template: Template; onClose: () => void }) {
  const { document, template, onClose } = props;
  const [text, setText] = useState(JSON.stringify(template.sample_data ?? {}, null, 2));
  const [fileName, setFileName] = useState(document.file_name ?? '');
  const [reference, setReference] = useState(document.reference ?? '');
  const { isBusy, error, setError, submit } = useSubmission();
  const make = async (data: Record<string, unknown>) => {
    await run({
      template: template.id,
      data,
      options: template.options,
      ...(fileName.trim() && { file_name: fileName.trim() }),
      ...(reference.trim() && { reference: reference.trim() }),
      ...(Object.keys(document.metadata).length > 0 && { metadata: document.metadata }),
    });
    onClose();
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const data = readObject(text);
        if (!data) return setError('The data must be a JSON object.');
        void submit(() => make(data));
      }}
    >
      <p class="soft">
        This makes a new document from version {template.version} of “{template.name}”. Platen does not store
        the data of requests, so the form starts with the sample data of the template.
      </p>
      <TextArea label="Data" rows={12} isCode value={text} onValue={setText} />
      <div class="form-grid">
        <Field label="File name (optional)" value={fileName} onValue={setFileName} maxLength={200} />
        <Field label="Reference (optional)" value={reference} onValue={setReference} maxLength={200} />
      </div>
      <FormError error={error} />
      <div class="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Make the PDF
        </Button>
      </div>
    </form>
  );
}
