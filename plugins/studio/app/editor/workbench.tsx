import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { discardTemplate } from '../screens/template-trash.ts';
import { canRetry, type ApiError } from '../data/api.ts';
import { forget } from '../data/resource.ts';
import { useSession } from '../data/session.ts';
import type { Template } from '../data/types.ts';
import { navigate, useLeaveGuard } from '../router.ts';
import { attempt } from '../ui/attempt.ts';
import { Segments } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useTitle } from '../ui/states.tsx';
import { languagesOf } from '../translations/languages.ts';
import { lazily } from '../ui/lazily.tsx';
import { usePaletteCommands } from '../ui/palette-commands.ts';
import { clearErrors, toast } from '../ui/toast.tsx';
import { CodeEditor, type CodeHandle } from './code-editor.tsx';
import { copyDraft } from './copy-draft.ts';
import { DataPane } from './data-pane.tsx';
import { isStoredDraft } from './draft-conflict.ts';
import { draftOf, isSameDraft, type Draft } from './draft.ts';
import { EditorBar, type EditorDialog } from './editor-bar.tsx';
import { EditorDialogs } from './editor-dialogs.tsx';
import { faultsBelow, faultsOf, notesOf } from './faults.ts';
import { templateLanguage } from './handlebars.ts';
import { makePdf } from './make-pdf.ts';
import { pageRuleOf } from './page-rule.ts';
import { PreviewPane } from './preview.tsx';
import { schemaMismatches } from './template-context.ts';
import { showVersion } from './show-version.ts';
import { SourceTools } from './source-tools.tsx';
import { useMissing } from './use-missing.ts';
import { usePreview } from './use-preview.ts';
import { usePublication } from './use-publication.tsx';
import { useReloadState } from './use-reload-state.ts';
import { useCompletionNames, useSampleData } from './use-sample-data.ts';
import { useSaving } from './use-saving.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { useStoredDraft } from './use-stored-draft.tsx';

/** Parts that are loaded when they are opened. */
const PageOptionsForm = lazily(async () => (await import('./page-options.tsx')).PageOptionsForm);
const TranslationsTab = lazily(
  async () => (await import('../translations/translations-tab.tsx')).TranslationsTab,
);
const TemplateTests = lazily(
  async () => (await import('../template-tests/template-tests.tsx')).TemplateTests,
);

type Tab = 'html' | 'data' | 'page' | 'translations' | 'tests';

/** The tests are open at first for a link with `?tests`. */
const firstTab = (): Tab => (new URLSearchParams(location.search).has('tests') ? 'tests' : 'html');

/** Renders the editor of an HTML template: its source, sample data, page options, tests and pages. */
export function Workbench({ template: initial }: { template: Template }) {
  const { service } = useSession();
  const [stored, setStored] = useState(initial);
  const [saved, setSaved] = useState(() => draftOf(initial));
  const [draft, setDraft] = useState(saved);
  const [tab, setTab] = useReloadState<Tab>(`tab ${stored.id}`, firstTab());
  // The results of the tests stay while another tab is open.
  const areTestsOpen = useRef(false);
  areTestsOpen.current ||= tab === 'tests';
  const [page, setPage] = useState(1);
  const [addedKeys, setAddedKeys] = useState<readonly string[]>([]);
  const languages = languagesOf(draft);
  const [chosenLocale, setLocale] = useReloadState<string>(`locale ${stored.id}`, '');
  // The language may have been removed.
  const locale = languages.some(([tag]) => tag === chosenLocale) ? chosenLocale : '';
  const [dialog, setDialog] = useState<EditorDialog>();
  const htmlEditor = useRef<CodeHandle>(null);
  const dataEditor = useRef<CodeHandle>(null);
  const isNew = stored.id === '';
  const isChanged = !isSameDraft(draft, saved);
  const hasChanges = isNew || isChanged;
  const hasTests = !isNew && service.plugins.includes('template-tests');
  useTitle(draft.name || 'Untitled');

  const data = useSampleData(draft.dataText);
  const latestData = useRef(data.value);
  latestData.current = data.value;
  const names = useRef<{ partials: string[]; assets: string[] }>({ partials: [], assets: [] });
  useCompletionNames(names, service.plugins.includes('assets'));

  const preview = usePreview(
    {
      html: draft.html,
      translations: draft.translations,
      locale,
      data: data.value,
      options: draft.options,
      page,
    },
    draft.html !== '',
  );
  const shown = preview.printed?.page;
  useEffect(() => {
    if (shown !== undefined && shown !== page && !preview.isPrinting) setPage(shown);
  }, [shown]);

  const [language, pageLanguage] = useMemo(() => {
    const known = {
      data: () => latestData.current,
      partials: () => names.current.partials,
      assets: () => names.current.assets,
    };
    const onPages = { ...known, data: () => ({ pageNumber: 1, totalPages: 1, ...latestData.current }) };
    return [templateLanguage(known), templateLanguage(onPages)];
  }, []);
  const faults = useMemo(() => faultsOf(preview.error), [preview.error]);
  const optionFaults = useMemo(() => faultsBelow(preview.error, ['options']), [preview.error]);
  const translationFaults = useMemo(
    () => faultsBelow(preview.error, ['translations', 'default_locale']),
    [preview.error],
  );
  const change = (part: Partial<Draft>) => setDraft((current) => ({ ...current, ...part }));

  const missing = useMissing({
    html: draft.html,
    data: data.value,
    isReady: preview.printed !== undefined,
    onData(value) {
      const dataText = JSON.stringify(value, null, 2);
      change({ dataText });
      dataEditor.current?.replace(dataText);
      toast('Sample values were added to the sample data.');
    },
  });

  useEffect(clearErrors, [draft]);

  const show = (template: Template) => {
    const next = draftOf(template);
    setStored(template);
    setSaved(next);
    setDraft(next);
    htmlEditor.current?.replace(next.html);
    dataEditor.current?.replace(next.dataText);
    showVersion(template);
  };
  const keep = (template: Template) => {
    setStored(template);
    setSaved({ ...draft, name: template.name });
    setDraft((current) => ({ ...current, name: current.name.trim() || template.name }));
    showVersion(template);
  };
  /** Follows a change of the template that was made elsewhere, such as a draft that became current. */
  const adopt = (latest: Template) => {
    if (!isChanged && latest.current_version === stored.draft_version) return show(latest);
    const { current_version, draft_version, require_checks } = latest;
    setStored((current) => ({ ...current, current_version, draft_version, require_checks }));
    forget('template ');
  };
  const openData = () => setTab('data');
  const parts = { stored, draft, data, openData, onSaved: keep, onOpened: show };
  const saving = useSaving(parts);
  const storedDraft = useStoredDraft({ ...parts, isChanged, onStored: setStored });
  const isSaving = saving.isSaving || storedDraft.isBusy;
  const leaving = useLeaveGuard(isChanged && !isSaving);
  const save = async () => {
    if (hasChanges) await (isStoredDraft(stored) ? storedDraft.save() : saving.save());
  };

  const print = async () => {
    if (!data.error)
      return makePdf({
        stored,
        draft,
        data: data.value,
        locale,
        fault: preview.error,
      });
    setTab('data');
    toast('The PDF was not made: the sample data is not valid JSON.', { kind: 'error' });
  };

  const publication = usePublication({
    template: stored,
    hasChanges: isChanged,
    onChanged: (published) => setStored((current) => ({ ...current, ...published })),
  });

  const clone = () => attempt(() => copyDraft(draft, { data: data.value, category: stored.category }));

  const insert = (text: string, isFooter: boolean) => {
    if (!isFooter) return htmlEditor.current?.insert(text);
    const footer = [draft.options.footer, text].filter(Boolean).join('\n');
    change({ options: { ...draft.options, footer } });
    setTab('page');
    toast('The page number was added to the footer.');
  };
  const openInsert = () => {
    setTab('html');
    setDialog('insert');
  };
  useShortcuts({ s: save, enter: print, i: openInsert, '?': () => setDialog('keys') });
  usePaletteCommands(() => [
    { label: 'Save the template', icon: 'check', run: () => void save() },
    { label: 'Make a PDF', icon: 'play', run: () => void print() },
    { label: 'Insert a part or a helper', icon: 'plus', run: openInsert },
    { label: 'Keyboard shortcuts', icon: 'help', run: () => setDialog('keys') },
    ...(isNew
      ? []
      : [
          { label: 'Compare versions', icon: 'history' as const, run: () => setDialog('versions') },
          { label: 'Use it from code', icon: 'code' as const, run: () => setDialog('code') },
        ]),
  ]);

  const notes = [
    ...missing.notes,
    ...notesOf({
      findings: preview.error ? [] : (preview.printed?.findings ?? []),
      mismatches: schemaMismatches(draft.schema, data.value),
      openData: () => setTab('data'),
    }),
  ];
  const goTo = (line: number, column?: number) => {
    setTab('html');
    setTimeout(() => htmlEditor.current?.goTo(line, column));
  };
  const onError = (error: ApiError) => {
    const [fault] = faultsOf(error);
    if (fault) return { label: `Go to line ${fault.line}`, run: () => goTo(fault.line, fault.column) };
    if (error.details[0]?.path.startsWith('options'))
      return { label: 'Open page options', run: () => setTab('page') };
    if (Object.keys(translationFaults).length > 0)
      return { label: 'Open the translations', run: () => setTab('translations') };
    return canRetry(error) ? { label: 'Try again', run: preview.refresh } : undefined;
  };

  return (
    <div class="editor">
      <EditorBar
        template={stored}
        name={draft.name}
        isChanged={hasChanges}
        isSaving={isSaving}
        canPublish={service.plugins.includes('marketplace')}
        onName={(name) => change({ name })}
        onOpen={setDialog}
        onCopy={() => void clone()}
        onPublication={publication.toggle}
        onPrint={() => void print()}
        onSave={() => void save()}
        onSaveDraft={() => void storedDraft.save()}
      />
      {storedDraft.notice}
      <div class={tab === 'tests' ? 'editor-panes with-tests' : 'editor-panes'}>
        <section class="source" aria-label="Template">
          <div class="source-bar">
            <Segments
              label="Part of the template"
              value={tab}
              choices={[
                ['html', 'HTML', faults.length],
                ['data', 'Sample data', data.error ? 1 : 0],
                ['page', 'Page', Object.keys(optionFaults).length],
                ['translations', 'Translations', Object.keys(translationFaults).length],
                ...(hasTests ? ([['tests', 'Tests']] as const) : []),
              ]}
              onValue={setTab}
            />
            <SourceTools
              onInsert={tab === 'html' && openInsert}
              onFind={
                (tab === 'html' || tab === 'data') &&
                (() => (tab === 'html' ? htmlEditor : dataEditor).current?.find())
              }
              onKeys={() => setDialog('keys')}
            />
          </div>
          <div class="source-body" hidden={tab !== 'html'}>
            <CodeEditor
              label="HTML of the template"
              value={draft.html}
              language={language}
              faults={faults}
              marks={missing.marks}
              onChange={(html) => change({ html })}
              handle={htmlEditor}
            />
          </div>
          <div class="source-body" hidden={tab !== 'data'}>
            <DataPane
              text={draft.dataText}
              data={data.value}
              schema={draft.schema}
              onText={(dataText) => change({ dataText })}
              onSchema={(schema) => change({ schema })}
              handle={dataEditor}
            />
          </div>
          {tab === 'page' && (
            <div class="source-body scrolls" tabIndex={0} role="group" aria-label="Page options">
              <PageOptionsForm
                options={draft.options}
                rule={pageRuleOf(draft.html)}
                faults={optionFaults}
                language={pageLanguage}
                onLine={goTo}
                onChange={(options) => change({ options })}
              />
            </div>
          )}
          {tab === 'translations' && (
            <div class="source-body scrolls" tabIndex={0} role="group" aria-label="Translations">
              <TranslationsTab
                translations={draft.translations}
                html={draft.html}
                faults={translationFaults}
                added={addedKeys}
                onAdded={setAddedKeys}
                onChange={(translations) => change({ translations })}
                onUndo={(undo) =>
                  setDraft((current) => ({ ...current, translations: undo(current.translations) }))
                }
              />
            </div>
          )}
          {areTestsOpen.current && (
            <div class="source-body scrolls" hidden={tab !== 'tests'}>
              <TemplateTests
                template={stored}
                editor={{ html: draft.html, options: draft.options, data: data.value }}
                onTemplate={adopt}
              />
            </div>
          )}
        </section>
        {tab !== 'tests' && (
          <PreviewPane
            preview={preview}
            page={page}
            notes={notes}
            dataError={data.error}
            languages={languages}
            locale={locale}
            onLocale={setLocale}
            onPage={setPage}
            onError={onError}
            onDataError={() => setTab('data')}
          />
        )}
      </div>
      {saving.question}
      {storedDraft.question}
      <EditorDialogs
        dialog={dialog}
        stored={stored}
        draft={draft}
        data={data.value}
        isUnsaved={draft.html !== saved.html}
        html={htmlEditor}
        onClose={() => setDialog(undefined)}
        onInsert={insert}
        onStored={(given) => setStored((current) => ({ ...current, ...given }))}
        onRestored={show}
        onOpenDraft={storedDraft.open}
        onDelete={async () => {
          await discardTemplate(stored.id);
          setDraft(saved);
          setTimeout(() => navigate('/studio/templates'));
        }}
      />
      {publication.dialog}
      {leaving && (
        <Confirm
          title="Leave without saving?"
          text="Your changes to this template will be lost."
          action="Leave"
          onClose={leaving.stay}
          run={async () => leaving.leave()}
        />
      )}
    </div>
  );
}
