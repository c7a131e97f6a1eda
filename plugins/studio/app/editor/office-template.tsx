import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import { useEffect, useState } from 'preact/hooks';
import { discardTemplate } from '../screens/template-trash.ts';
import { OFFICE_FILES } from '../screens/upload-template.tsx';
import { get, isAborted, put, reasonOf, sendFile } from '../data/api.ts';
import { formatAgo } from '../data/format.ts';
import { printPage } from '../data/print-page.ts';
import { forget, useResource } from '../data/resource.ts';
import type { List, Template, TemplateVersion } from '../data/types.ts';
import { navigate } from '../router.ts';
import { attempt } from '../ui/attempt.ts';
import { Button, LinkButton, Select } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import { PageTurner } from '../ui/page-turner.tsx';
import { FormError, ViewHead } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { CodeEditor } from './code-editor.tsx';

const language = [json(), linter(jsonParseLinter())];

/** How long the preview waits for more input. */
const PAUSE_MS = 600;

/**
 * Renders a template that is a docx, xlsx or pptx file: its pages with the sample data, and an upload for the
 * next version. A second version can be shown beside the current one.
 */
export function OfficeTemplate({ template: initial }: { template: Template }) {
  const [template, setTemplate] = useState(initial);
  const [text, setText] = useState(() => JSON.stringify(initial.sample_data ?? {}, null, 2));
  const [compared, setCompared] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const [isDiscarding, setDiscarding] = useState(false);
  const { id, format, version } = template;
  const versions = useResource(`versions ${id} ${version}`, (signal) =>
    get<List<TemplateVersion>>(`/v1/templates/${id}/versions`, signal),
  );
  const data = parseData(text);
  const isChanged = data !== undefined && JSON.stringify(data) !== JSON.stringify(template.sample_data ?? {});

  const upload = async ([file]: File[]) => {
    if (!file) return;
    setBusy(true);
    setFault('');
    try {
      setTemplate(await sendFile<Template>('PUT', `/v1/templates/${id}`, { file }));
      forget('templates');
      toast('The file was stored as a new version.');
    } catch (error) {
      setFault(reasonOf(error, { file: file.name }));
    }
    setBusy(false);
  };
  const save = () =>
    attempt(async () => {
      setTemplate(await put<Template>(`/v1/templates/${id}`, { sample_data: data }));
      forget('templates');
      toast('The sample data was saved.');
    });
  const others = (versions.data?.data ?? []).filter((each) => each.version !== version);
  return (
    <div class="page">
      <p class="crumb">
        <a href="/studio/templates">Templates</a>
      </p>
      <ViewHead
        title={template.name}
        text={`Version ${version}, ${format}, changed ${formatAgo(template.updated_at)}`}
      >
        <Button icon="trash" onClick={() => setDiscarding(true)}>
          Move to the trash
        </Button>
        <LinkButton href={template.file_url ?? ''} icon="download">
          Download
        </LinkButton>
        <Button kind="primary" disabled={!isChanged} onClick={() => void save()}>
          Save the sample data
        </Button>
      </ViewHead>
      <DropArea
        text={`Change the file in your office program, and drop it here: it becomes version ${version + 1}.`}
        label="Next version"
        accept={OFFICE_FILES}
        isMany={false}
        isBusy={isBusy}
        onFiles={(files) => void upload(files)}
      />
      <FormError error={fault} />
      <div class="document">
        <div class="document-main template-source">
          <CodeEditor label="Sample data" value={text} language={language} onChange={setText} />
        </div>
        <Pages template={id} version={version} data={data} title={`Version ${version}`} />
        {others.length > 0 && (
          <div>
            <Select
              label="Compare with"
              value={compared}
              choices={[
                ['', 'no other version'],
                ...others.map((each) => [String(each.version), `version ${each.version}`] as const),
              ]}
              onValue={setCompared}
            />
            {compared !== '' && (
              <Pages template={id} version={Number(compared)} data={data} title={`Version ${compared}`} />
            )}
          </div>
        )}
      </div>
      {isDiscarding && (
        <Confirm
          title="Move to the trash"
          text={`“${template.name}” stays in the trash for 30 days.`}
          action="Move to the trash"
          run={async () => {
            await discardTemplate(id);
            navigate('/studio/templates');
          }}
          onClose={() => setDiscarding(false)}
        />
      )}
    </div>
  );
}

/** Returns the object in a text of JSON; `undefined` for other text. */
function parseData(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Renders the pages of a version with data, or why they cannot be printed. */
function Pages(props: {
  template: string;
  version: number;
  data: Record<string, unknown> | undefined;
  title: string;
}) {
  const { template, version, data, title } = props;
  const [page, setPage] = useState(1);
  const [shown, setShown] = useState<{ url: string; pages: number }>();
  const [error, setError] = useState('');
  const key = JSON.stringify(data);
  useEffect(() => {
    if (!data) return;
    const controller = new AbortController();
    const source = { template, template_version: version };
    const timer = setTimeout(() => {
      printPage({ ...source, data, options: null, page }, controller.signal).then(
        ({ blob, pages }) => {
          setShown({ url: URL.createObjectURL(blob), pages });
          setError('');
        },
        (thrown: unknown) => {
          if (!isAborted(thrown)) setError(reasonOf(thrown));
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [template, version, key, page]);
  useEffect(() => () => URL.revokeObjectURL(shown?.url ?? ''), [shown]);
  return (
    <figure class="page-figure">
      {shown ? (
        <img class="sheet" src={shown.url} alt={`Page ${page} of ${title}`} />
      ) : (
        <span class="sheet skeleton" />
      )}
      <figcaption aria-live="polite">
        {error || (data ? title : 'The sample data is not a JSON object.')}
      </figcaption>
      {shown && shown.pages > 1 && <PageTurner page={page} pages={shown.pages} onPage={setPage} />}
    </figure>
  );
}
