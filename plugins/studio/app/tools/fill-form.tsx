import { useId, useState } from 'preact/hooks';
import { post, reasonOf } from '../data/api.ts';
import { Button, Check } from '../ui/controls.tsx';
import { PageImage } from '../ui/page-image.tsx';
import { FormError, ViewHead } from '../ui/states.tsx';
import { DropZone } from './file-list.tsx';
import { EquivalentCall, Results, type ResultFile } from './result.tsx';
import { upload, type UploadedFile } from './uploads.ts';

type Value = string | boolean | string[] | null;

interface FormField {
  name: string;
  type: string;
  value: Value;
  page: number | null;
  rect: { x: number; y: number; width: number; height: number } | null;
  read_only: boolean;
  required: boolean;
  options?: string[];
  labels?: string[];
  multiline?: boolean;
}

interface PdfInfo {
  page_sizes: { width: number; height: number }[];
}

const FILLABLE = new Set(['text', 'checkbox', 'dropdown', 'radio', 'option_list']);

/** Renders the fields of a form beside their page, and fills them in. */
export function FillForm() {
  const [file, setFile] = useState<UploadedFile>();
  const [fields, setFields] = useState<FormField[]>([]);
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [changes, setChanges] = useState<Record<string, string | boolean>>({});
  const [current, setCurrent] = useState<FormField>();
  const [flatten, setFlatten] = useState(false);
  const [busy, setBusy] = useState<'upload' | 'work'>();
  const [error, setError] = useState('');
  const [result, setResult] = useState<ResultFile>();

  const open = async ([chosen]: File[]) => {
    if (!chosen) return;
    setBusy('upload');
    setError('');
    try {
      const uploaded = await upload(chosen);
      const list = await post<{ fields: FormField[] }>('/v1/pdf/forms/list-fields', { pdf: uploaded.id });
      const info = await post<PdfInfo>('/v1/pdf/info', { pdf: uploaded.id });
      setFields(list.fields.filter(({ type, read_only }) => FILLABLE.has(type) && !read_only));
      // Fields can be placed on the image only when all pages have the same size.
      setSize(info.page_sizes.length === 1 ? info.page_sizes[0] : undefined);
      setChanges({});
      setResult(undefined);
      setFile(uploaded);
      if (list.fields.length === 0) setError('This file has no form fields.');
    } catch (problem) {
      setError(reasonOf(problem));
    }
    setBusy(undefined);
  };
  const body = {
    pdf: file?.id,
    fields: Object.entries(changes).map(([name, value]) => ({ name, value })),
    ...(flatten && { flatten: true }),
  };
  const fill = async () => {
    setBusy('work');
    setError('');
    try {
      setResult(await post<ResultFile>('/v1/pdf/forms/fill', body));
    } catch (problem) {
      setError(reasonOf(problem));
    }
    setBusy(undefined);
  };
  const page = (current?.page ?? 0) + 1;
  return (
    <div class="page">
      <p class="crumb">
        <a href="/studio/tools">PDF tools</a>
      </p>
      <ViewHead title="Fill a form" text="The field that you edit is marked on its page." />
      <div class="tool">
        <div class="stack">
          {!file || fields.length === 0 ? (
            <DropZone isMany={false} isBusy={busy === 'upload'} onFiles={(chosen) => void open(chosen)} />
          ) : (
            <>
              {fields.map((field) => (
                <FieldInput
                  key={field.name}
                  field={field}
                  value={changes[field.name] ?? field.value}
                  onFocus={() => setCurrent(field)}
                  onValue={(value) => {
                    setChanges({ ...changes, [field.name]: value });
                    setResult(undefined);
                  }}
                />
              ))}
              <Check
                label="Flatten"
                hint="The values become part of the page and can no longer be edited."
                checked={flatten}
                onValue={setFlatten}
              />
            </>
          )}
          <FormError error={error} />
          {file && fields.length > 0 && (
            <div class="row">
              <Button
                kind="primary"
                size="large"
                isBusy={busy === 'work'}
                disabled={body.fields.length === 0 && !flatten}
                onClick={() => void fill()}
              >
                Fill in the form
              </Button>
              <Button size="large" onClick={() => setFile(undefined)}>
                Another file
              </Button>
            </div>
          )}
        </div>
        <div class="stack">
          {result ? (
            <Results files={[result]} />
          ) : file && fields.length > 0 ? (
            <div class="well result-page">
              <span class="marked">
                <PageImage
                  url={`/v1/files/${file.id}/pages/${page}.png?width=900`}
                  alt={`Page ${page} of the form`}
                />
                {size && current?.rect && <FieldMark rect={current.rect} size={size} />}
              </span>
            </div>
          ) : (
            <div class="well result-empty">The page appears here.</div>
          )}
          {file && <EquivalentCall request={{ path: '/v1/pdf/forms/fill', body }} files={[file]} />}
        </div>
      </div>
    </div>
  );
}

function FieldMark({
  rect,
  size,
}: {
  rect: NonNullable<FormField['rect']>;
  size: { width: number; height: number };
}) {
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <span
      class="field-mark"
      aria-hidden="true"
      style={{
        left: percent(rect.x, size.width),
        bottom: percent(rect.y, size.height),
        width: percent(rect.width, size.width),
        height: percent(rect.height, size.height),
      }}
    />
  );
}

function FieldInput(props: {
  field: FormField;
  value: Value;
  onFocus: () => void;
  onValue: (value: string | boolean) => void;
}) {
  const { field, value, onFocus, onValue } = props;
  const id = useId();
  const text = Array.isArray(value) ? (value[0] ?? '') : typeof value === 'string' ? value : '';
  if (field.type === 'checkbox')
    return (
      <label class="check" onFocusCapture={onFocus}>
        <input
          type="checkbox"
          checked={value === true}
          onFocus={onFocus}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
        <span>{field.name}</span>
      </label>
    );
  return (
    <div class="field">
      <label for={id}>
        {field.name}
        {field.required && ' (required)'}
      </label>
      {field.type === 'text' ? (
        field.multiline ? (
          <textarea
            id={id}
            class="input"
            rows={3}
            value={text}
            onFocus={onFocus}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        ) : (
          <input
            id={id}
            class="input"
            value={text}
            onFocus={onFocus}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        )
      ) : (
        <span class="select">
          <select
            id={id}
            value={text}
            onFocus={onFocus}
            onChange={(event) => onValue(event.currentTarget.value)}
          >
            <option value="">None</option>
            {(field.options ?? []).map((option, index) => (
              <option key={option} value={option} selected={option === text}>
                {field.labels?.[index] ?? option}
              </option>
            ))}
          </select>
        </span>
      )}
    </div>
  );
}
