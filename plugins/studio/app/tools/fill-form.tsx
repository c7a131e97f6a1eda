import { useState } from 'preact/hooks';
import { post, reasonOf } from '../data/api.ts';
import { Button, Check, Field, Select, TextArea } from '../ui/controls.tsx';
import { PageImage } from '../ui/page-image.tsx';
import { FormError } from '../ui/states.tsx';
import { DropZone } from './file-list.tsx';
import { KeepResult } from './keep-result.tsx';
import { resultFieldsOf } from './result-fields.ts';
import { EquivalentCall, Results, type ResultFile } from './result.tsx';
import { ToolPage } from './tool-page.tsx';
import { TOOL_UPLOAD_SECONDS, upload, type UploadedFile } from './uploads.ts';

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

/** Renders the fields of an uploaded form, marks them on their page, and fills in the values. */
export function FillForm() {
  const [file, setFile] = useState<UploadedFile>();
  const [fields, setFields] = useState<FormField[]>([]);
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [changes, setChanges] = useState<Record<string, string | boolean>>({});
  const [current, setCurrent] = useState<FormField>();
  const [flatten, setFlatten] = useState(false);
  const [busy, setBusy] = useState<'upload' | 'work'>();
  const [error, setError] = useState('');
  const [isKept, setKept] = useState(false);
  const [result, setResult] = useState<ResultFile>();

  const open = async ([chosen]: File[]) => {
    if (!chosen) return;
    setBusy('upload');
    setError('');
    try {
      const uploaded = await upload(chosen, TOOL_UPLOAD_SECONDS);
      const list = await post<{ fields: FormField[] }>('/v1/pdf/forms/list-fields', { pdf: uploaded.id });
      const info = await post<PdfInfo>('/v1/pdf/info', { pdf: uploaded.id });
      const fillable = list.fields.filter(({ type, read_only }) => FILLABLE.has(type) && !read_only);
      setFields(fillable);
      // The response names no size per page, so fields can be placed on the image only if all pages have the
      // same size.
      setSize(info.page_sizes.length === 1 ? info.page_sizes[0] : undefined);
      setChanges({});
      setCurrent(undefined);
      setResult(undefined);
      setFile(uploaded);
      if (fillable.length === 0) setError('This file has no form fields to fill in.');
    } catch (thrown) {
      setError(reasonOf(thrown, { file: chosen.name, pdf: chosen.name }));
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
      setResult(
        await post<ResultFile>('/v1/pdf/forms/fill', {
          ...body,
          ...resultFieldsOf({ files: file ? [file] : [], suffix: 'filled', isKept }),
        }),
      );
    } catch (thrown) {
      setError(reasonOf(thrown));
    }
    setBusy(undefined);
  };
  /** The index of the page that is shown, from 0. */
  const page = current?.page ?? fields[0]?.page ?? 0;
  const isOpen = file !== undefined && fields.length > 0;
  return (
    <ToolPage
      title="Fill a form"
      text="Enter the values of the fields, which are marked on their page."
      form={
        <>
          {!isOpen ? (
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
              <KeepResult isKept={isKept} onKept={setKept} />
            </>
          )}
          <FormError error={error} />
          {isOpen && (
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
                Choose another file
              </Button>
            </div>
          )}
        </>
      }
      result={
        <>
          {result ? (
            <Results files={[result]} />
          ) : isOpen ? (
            <div class="well result-page">
              <span class="marked">
                <PageImage
                  url={`/v1/files/${file.id}/pages/${page + 1}.png?width=900`}
                  alt={`Page ${page + 1} of the form`}
                />
                {size &&
                  fields
                    .filter((field) => field.page === page)
                    .map((field) => (
                      <FieldMark key={field.name} field={field} isCurrent={field === current} size={size} />
                    ))}
              </span>
            </div>
          ) : (
            <div class="well result-empty">The page appears here.</div>
          )}
          {file && <EquivalentCall request={{ path: '/v1/pdf/forms/fill', body }} files={[file]} />}
        </>
      }
    />
  );
}

function FieldMark(props: { field: FormField; isCurrent: boolean; size: { width: number; height: number } }) {
  const { rect } = props.field;
  if (!rect) return null;
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <span
      class={props.isCurrent ? 'field-mark is-current' : 'field-mark'}
      aria-hidden="true"
      style={{
        left: percent(rect.x, props.size.width),
        bottom: percent(rect.y, props.size.height),
        width: percent(rect.width, props.size.width),
        height: percent(rect.height, props.size.height),
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
  const text = Array.isArray(value) ? (value[0] ?? '') : typeof value === 'string' ? value : '';
  const label = field.required ? `${field.name} (required)` : field.name;
  const labelled = { label, value: text, onValue };
  return (
    <div onFocusCapture={onFocus}>
      {field.type === 'checkbox' ? (
        <Check label={label} checked={value === true} onValue={onValue} />
      ) : field.type !== 'text' ? (
        <Select
          {...labelled}
          choices={[
            ['', 'None'],
            ...(field.options ?? []).map(
              (option, index) => [option, field.labels?.[index] ?? option] as const,
            ),
          ]}
        />
      ) : field.multiline ? (
        <TextArea {...labelled} rows={3} />
      ) : (
        <Field {...labelled} />
      )}
    </div>
  );
}
