import { useMemo, useState } from 'preact/hooks';
import { get, reasonOf } from '../data/api.ts';
import { formatCount, formatCountOf } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import { useTemplateNames } from '../data/template-names.ts';
import type { Template } from '../data/types.ts';
import { languagesOf } from '../translations/languages.ts';
import { Button, Select } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';
import { BatchData } from './batch-data.tsx';
import { DataInput, inputOf, type GivenData } from './data-input.tsx';
import { Faults } from './faults.tsx';
import { Progress } from './progress.tsx';
import { sentenceOf } from './send-batch.ts';
import { SettingsFields, type Delivery } from './settings-fields.tsx';
import { useBatchData } from './use-batch-data.ts';
import { useUpload } from './use-upload.ts';

const DEFAULT_DELIVERY: Delivery = {
  locale: '',
  result: 'links',
  fileName: '',
  onInvalid: 'reject',
  webhook: '',
};

/** Renders the form that starts a batch: a template, the data of the documents, and their delivery. */
export function NewBatch({ onClose }: { onClose: () => void }) {
  const names = useTemplateNames();
  const [first = ''] = names.keys();
  const [chosen, setChosen] = useState('');
  const id = chosen || first;
  const { data: template, error: failure } = useResource(id === '' ? undefined : `template ${id}`, (signal) =>
    get<Template>(`/v1/templates/${id}`, signal),
  );
  const [given, setGiven] = useState<GivenData>({ kind: 'file' });
  const sample = useMemo(() => JSON.stringify([template?.sample_data ?? {}], null, 2), [template]);
  const input = useMemo(() => inputOf(given, sample), [given, sample]);
  const data = useBatchData(input, template);
  const { source, prepared } = data;
  const languages = useMemo(() => {
    if (!template) return [];
    const { html_content: html, translations } = template;
    return languagesOf({ html: html ?? '', translations: translations && { messages: translations } });
  }, [template]);
  const [delivery, setDelivery] = useState(DEFAULT_DELIVERY);
  const readers = useMemo(
    () =>
      template?.html_content
        ? [template.html_content, JSON.stringify(template.options ?? {}), delivery.fileName]
        : [],
    [template, delivery.fileName],
  );
  const request = useMemo(
    () =>
      template && source && prepared
        ? { format: source.format, prepared, settings: { template, ...delivery } }
        : undefined,
    [template, source, prepared, delivery],
  );
  const upload = useUpload(request, onClose);
  const faults = useMemo(
    () => (source && prepared?.faults.map((fault) => sentenceOf(source.format, fault))) ?? [],
    [source, prepared],
  );
  const valid = (prepared?.places.length ?? 0) - faults.length;
  const isRefused = faults.length > 0 && (delivery.onInvalid === 'reject' || valid === 0);
  if (upload.share !== undefined)
    return <UploadDialog count={valid} share={upload.share} onStop={upload.stop} />;
  return (
    <Dialog
      title="New batch"
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!request || isRefused} onClick={() => void upload.start()}>
            Start the batch
          </Button>
        </>
      }
    >
      <div class="stack">
        <Select
          label="Template"
          value={id}
          choices={[...names]}
          onValue={(value) => {
            setChosen(value);
            // The sample data of the other template takes the place of the text.
            setGiven(({ kind, file }) => ({ kind, ...(file && { file }) }));
            setDelivery((before) => ({ ...before, locale: '' }));
          }}
        />
        <DataInput given={given} sample={sample} onGiven={setGiven} />
        <p class="soft" role="status">
          {data.progress ?? (prepared && outlook(prepared.places.length, faults.length, isRefused))}
        </p>
        {source && (
          <BatchData
            source={source}
            columns={data.columns}
            fields={data.fields}
            readers={readers}
            onColumns={data.setColumns}
          />
        )}
        <FormError error={data.error ?? ''} />
        <Faults title="Invalid records:" sentences={faults} />
        <SettingsFields languages={languages} value={delivery} onValue={setDelivery} />
        <FormError error={failure === undefined ? upload.error : reasonOf(failure)} />
        <Faults title="Invalid records:" sentences={upload.refused} />
      </div>
    </Dialog>
  );
}

/** Describes the batch that the data gives. */
function outlook(total: number, invalid: number, isRefused: boolean): string {
  if (isRefused)
    return `${formatCount(invalid)} of ${formatCountOf(total, 'record')} ${invalid === 1 ? 'is' : 'are'} invalid, so the batch cannot start.`;
  const made = `${formatCountOf(total - invalid, 'document')} will be made`;
  return invalid === 0 ? `${made}.` : `${made}, and ${formatCount(invalid)} left out.`;
}

/** Renders the progress of an upload. Only its button ends the upload, and no click beside the dialog. */
function UploadDialog(props: { count: number; share: number; onStop: () => void }) {
  const percent = Math.floor(props.share * 100);
  return (
    <Dialog
      title="New batch"
      size="wide"
      onClose={() => undefined}
      actions={<Button onClick={props.onStop}>Cancel the upload</Button>}
    >
      <div class="stack">
        <p>
          {percent < 100
            ? `${formatCountOf(props.count, 'document')}: ${percent} % uploaded`
            : 'The service checks the data…'}
        </p>
        <Progress label="Progress of the upload" total={100} completed={percent} />
      </div>
    </Dialog>
  );
}
