import { readObject } from '../data/read-object.ts';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import { useEffect, useRef, useState } from 'preact/hooks';
import { discardTemplate } from '../screens/template-trash.ts';
import { OFFICE_FILES } from '../screens/upload-template.tsx';
import { ApiError, isAborted, put, reasonOf, sendFile } from '../data/api.ts';
import { capitalise, formatAgo } from '../data/format.ts';
import { readRows } from '../data/list.ts';
import { printPage } from '../data/print-page.ts';
import { forget, useResource } from '../data/resource.ts';
import { useSession } from '../data/session.ts';
import type { Template, TemplateVersion } from '../data/types.ts';
import { navigate } from '../router.ts';
import { attempt } from '../ui/attempt.ts';
import { Button, Check, LinkButton, Segments, Select } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import { lazily } from '../ui/lazily.tsx';
import { PageTurner } from '../ui/page-turner.tsx';
import { FormError, ViewHead } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { CodeEditor } from './code-editor.tsx';
import { isStoredDraft } from './draft-conflict.ts';
import { OfficeDraft } from './office-draft.tsx';
import { showVersion } from './show-version.ts';
import { usePublication } from './use-publication.tsx';
import { useReloadState } from './use-reload-state.ts';

const RenameDialog = lazily(async () => (await import('./rename-dialog.tsx')).RenameDialog);
const TemplateTests = lazily(
  async () => (await import('../template-tests/template-tests.tsx')).TemplateTests,
);

const language = [json(), linter(jsonParseLinter())];

/** How long the preview waits for more input. */
const PAUSE_MS = 600;

/**
 * Renders a template that is a docx, xlsx or pptx file: its pages with the sample data, its tests, and an
 * upload for the next version or for its draft. Another version can be shown beside it.
 */
export function OfficeTemplate({ template: initial }: { template: Template }) {
  const [template, setTemplate] = useState(initial);
  const [text, setText] = useState(() => JSON.stringify(initial.sample_data ?? {}, null, 2));
  const [compared, setCompared] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const [isDiscarding, setDiscarding] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const [asDraft, setAsDraft] = useState(isStoredDraft(initial));
  const { service } = useSession();
  const { id, format, version } = template;
  const [part, setPart] = useReloadState<'pages' | 'tests'>(`tab ${id}`, 'pages');
  // The results of the tests stay while the pages are shown.
  const areTestsOpen = useRef(false);
  areTestsOpen.current ||= part === 'tests';
  const versions = useResource(`versions ${id} ${version} ${template.draft_version}`, (signal) =>
    readRows<TemplateVersion>(`/v1/templates/${id}/versions`, { signal }),
  );
  const data = readObject(text);
  const isChanged = data !== undefined && JSON.stringify(data) !== JSON.stringify(template.sample_data ?? {});

  const isDraft = isStoredDraft(template);
  /** Shows a version of the template with its sample data. */
  const open = (next: Template) => {
    setTemplate(next);
    setText(JSON.stringify(next.sample_data ?? {}, null, 2));
    setAsDraft(isStoredDraft(next));
    setCompared('');
    showVersion(next);
  };
  const upload = async ([file]: File[]) => {
    if (!file) return;
    setBusy(true);
    setFault('');
    try {
      const fields = { file, ...(asDraft && { draft: 'true' }) };
      const next = await sendFile<Template>('PUT', `/v1/templates/${id}`, fields);
      setTemplate(next);
      setAsDraft(isStoredDraft(next));
      showVersion(next);
      toast(`The file was stored as ${isStoredDraft(next) ? 'a draft' : 'a new version'}.`);
    } catch (error) {
      setFault(reasonOf(error, { file: file.name }));
    }
    setBusy(false);
  };
  const save = () =>
    attempt(async () => {
      const next = await put<Template>(`/v1/templates/${id}`, {
        sample_data: data,
        ...(isDraft && { draft: true }),
      });
      setTemplate(next);
      showVersion(next);
      toast('The sample data was saved.');
    });
  const publication = usePublication({
    template,
    hasChanges: isChanged,
    onChanged: (published) => setTemplate((current) => ({ ...current, ...published })),
  });
  const others = (versions.data?.data ?? []).filter((each) => each.version !== version);
  return (
    <div class="page">
      <p class="crumb">
        <a href="/studio/templates">Templates</a>
      </p>
      <ViewHead
        title={template.name}
        text={`${isDraft ? 'Draft, version' : 'Version'} ${version}, ${format}, changed ${formatAgo(template.updated_at)}`}
      >
        <Button onClick={() => setRenaming(true)}>Rename</Button>
        <Button icon="trash" onClick={() => setDiscarding(true)}>
          Move to the trash
        </Button>
        <LinkButton href={template.file_url ?? ''} icon="download">
          Download
        </LinkButton>
        {service.plugins.includes('marketplace') && (
          <Button icon="market" onClick={publication.toggle}>
            {template.is_public ? 'Unpublish' : 'Publish'}
          </Button>
        )}
        <Button kind="primary" disabled={!isChanged} onClick={() => void save()}>
          Save the sample data
        </Button>
      </ViewHead>
      <OfficeDraft template={template} isChanged={isChanged} onOpened={open} />
      <DropArea
        text={`Change the file in your office program, and drop it here: it becomes ${asDraft ? 'the draft' : 'the current version'}.`}
        label="Next version"
        accept={OFFICE_FILES}
        isMany={false}
        isBusy={isBusy}
        onFiles={(files) => void upload(files)}
      />
      <div class="office-upload">
        <Check
          label="Store the file as a draft"
          hint="Documents are made from the current version until you make the draft current."
          checked={asDraft}
          onValue={setAsDraft}
        />
      </div>
      <FormError error={fault} />
      {service.plugins.includes('template-tests') && (
        <div class="office-parts">
          <Segments
            label="Part of the template"
            value={part}
            choices={[
              ['pages', 'Pages'],
              ['tests', 'Tests'],
            ]}
            onValue={setPart}
          />
        </div>
      )}
      {areTestsOpen.current && (
        <div class="office-tests" hidden={part !== 'tests'}>
          <TemplateTests
            template={template}
            editor={{ data: data ?? template.sample_data ?? {}, options: template.options ?? {} }}
            onTemplate={open}
          />
        </div>
      )}
      <div class="office" hidden={part === 'tests'}>
        <CodeEditor label="Sample data" value={text} language={language} onChange={setText} />
        <section class="office-pages" aria-label="Pages">
          {others.length > 0 && (
            <Select
              label="Compare with"
              value={compared}
              choices={[
                ['', 'no other version'],
                ...others.map(
                  (each) =>
                    [String(each.version), `${each.draft ? 'draft, ' : ''}version ${each.version}`] as const,
                ),
              ]}
              onValue={setCompared}
            />
          )}
          <div class="office-pair">
            <Pages template={id} version={version} data={data} title={`Version ${version}`} />
            {compared !== '' && (
              <Pages template={id} version={Number(compared)} data={data} title={`Version ${compared}`} />
            )}
          </div>
        </section>
      </div>
      {isRenaming && (
        <RenameDialog
          template={template}
          onClose={() => setRenaming(false)}
          onRenamed={(change) => {
            setTemplate((current) => ({ ...current, ...change }));
            forget('template');
          }}
        />
      )}
      {publication.dialog}
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

/** Returns the reason why a template cannot be printed, with the place in the file. */
function faultOf(error: unknown): string {
  const [{ path, message } = { path: '', message: '' }] = error instanceof ApiError ? error.details : [];
  return path === 'template' ? capitalise(message) : reasonOf(error);
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
      const work = async () => {
        const { blob, pages } = await printPage({ ...source, data, options: null, page }, controller.signal);
        setShown({ url: URL.createObjectURL(blob), pages });
        setError('');
      };
      work().catch((thrown: unknown) => {
        if (!isAborted(thrown)) setError(faultOf(thrown));
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [template, version, key, page]);
  useEffect(() => () => URL.revokeObjectURL(shown?.url ?? ''), [shown]);
  return (
    <figure class="page-figure">
      <FormError error={error || (data ? '' : 'The sample data is not a JSON object.')} />
      {shown ? (
        <img class="sheet" src={shown.url} alt={`Page ${page} of ${title}`} />
      ) : error === '' ? (
        <span class="sheet skeleton" />
      ) : null}
      <figcaption>{title}</figcaption>
      {shown && shown.pages > 1 && <PageTurner page={page} pages={shown.pages} onPage={setPage} />}
    </figure>
  );
}
