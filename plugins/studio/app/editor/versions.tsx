import { MergeView } from '@codemirror/merge';
import { html } from '@codemirror/lang-html';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, isAborted, post, reasonOf } from '../data/api.ts';
import { formatMoment } from '../data/format.ts';
import { readRows } from '../data/list.ts';
import { printPage, type PrintedImage } from '../data/print-page.ts';
import { useResource } from '../data/resource.ts';
import { useMay } from '../data/session.ts';
import type { PageOptions, Template, TemplateVersion } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { Button, Segments } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PageTurner } from '../ui/page-turner.tsx';
import { FormError, Loaded } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { baseExtensions } from './code-theme.ts';
import { isStoredDraft } from './draft-conflict.ts';
import { markDifferences } from './image-diff.ts';

/** The document in the editor, with which versions are compared. */
export interface EditorDocument {
  html: string;
  data: Record<string, unknown>;
  options: PageOptions;
}

/**
 * Renders the versions of a template, compared with the editor as text and as pages. Viewers have no editor, and
 * see no pages.
 */
export function Versions(props: {
  id: string;
  draft: EditorDocument;
  /** Opens the draft of the template in the editor. */
  onDraft: () => void;
  onRestored: (template: Template) => void;
  onClose: () => void;
}) {
  const { id, draft } = props;
  const versions = useResource(`versions ${id}`, (signal) =>
    readRows<TemplateVersion>(`/v1/templates/${id}/versions`, { signal }),
  );
  const [chosen, setChosen] = useState<number>();
  const [mode, setMode] = useState<'text' | 'pages'>('text');
  const { isBusy, error, submit } = useSubmission();
  const mayEdit = useMay()('editor');
  const other = mayEdit ? 'the editor' : 'the open version';
  const list = versions.data?.data ?? [];
  const version = chosen ?? (list.find(({ current, draft: is }) => !current && !is) ?? list[0])?.version;
  const shown = list.find((entry) => entry.version === version);
  const old = useResource(version === undefined ? undefined : `version ${id} ${version}`, (signal) =>
    get<Template>(`/v1/templates/${id}?version=${version}`, signal),
  );
  const restore = async () => {
    const template = await post<Template>(`/v1/templates/${id}/versions/${version}/restore`);
    toast(
      isStoredDraft(template)
        ? `Version ${version} is now a draft, version ${template.version}, because its tests do not pass.`
        : `Version ${version} is now version ${template.version}.`,
    );
    props.onRestored(template);
    props.onClose();
  };
  return (
    <Dialog title="Versions" size="full" onClose={props.onClose}>
      <Loaded from={versions}>
        {() => (
          <div class="versions">
            <ul class="version-list" aria-label="Versions">
              {list.map((entry) => (
                <li key={entry.version}>
                  <button
                    type="button"
                    aria-current={entry.version === version ? 'true' : undefined}
                    onClick={() => setChosen(entry.version)}
                  >
                    <strong>
                      Version {entry.version}
                      {entry.current && <span class="badge good">Current</span>}
                      {entry.draft && <span class="badge accent">Draft</span>}
                    </strong>
                    <small>{entry.created_at ? formatMoment(entry.created_at) : 'Date not recorded'}</small>
                  </button>
                </li>
              ))}
            </ul>
            <div class="version-view">
              <p class="soft version-note">
                A version contains the HTML, the page options, the schema and the sample data. Versions of
                release 0.1.0 contain the HTML only, and are printed with the current options and data.
              </p>
              <div class="version-bar">
                {mayEdit && (
                  <Segments
                    label="Compare as"
                    value={mode}
                    choices={[
                      ['text', 'Text'],
                      ['pages', 'Pages'],
                    ]}
                    onValue={setMode}
                  />
                )}
                <span class="soft">
                  Version {version} compared with {other}
                </span>
                {shown?.draft ? (
                  <Button
                    onClick={() => {
                      props.onClose();
                      props.onDraft();
                    }}
                  >
                    Open the draft
                  </Button>
                ) : (
                  mayEdit && (
                    <Button
                      icon="restore"
                      disabled={shown?.current ?? true}
                      isBusy={isBusy}
                      onClick={() => void submit(restore)}
                    >
                      Restore this version
                    </Button>
                  )
                )}
              </div>
              <FormError error={error} />
              <Loaded from={old}>
                {(template) =>
                  mode === 'text' ? (
                    <TextDiff
                      key={`text ${version}`}
                      before={documentOf(template)}
                      after={draft}
                      other={other}
                    />
                  ) : (
                    <PageDiff key={`pages ${version}`} before={documentOf(template)} after={draft} />
                  )
                }
              </Loaded>
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

function documentOf({ html_content, sample_data, options }: Template): EditorDocument {
  return { html: html_content ?? '', data: sample_data ?? {}, options: options ?? {} };
}

/** Names the parts beside the HTML that differ. */
function otherDifferences(before: EditorDocument, after: EditorDocument): string {
  const differs = (part: 'data' | 'options') => JSON.stringify(before[part]) !== JSON.stringify(after[part]);
  const parts = [differs('options') && 'page options', differs('data') && 'sample data'].filter(Boolean);
  return parts.length === 0 ? '' : ` The ${parts.join(' and ')} differ.`;
}

function TextDiff(props: { before: EditorDocument; after: EditorDocument; other: string }) {
  const { before, after, other } = props;
  const others = otherDifferences(before, after);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    const extensions = [
      lineNumbers(),
      EditorView.lineWrapping,
      EditorView.editable.of(false),
      EditorState.readOnly.of(true),
      html(),
      ...baseExtensions(),
    ];
    const label = (text: string) => EditorView.contentAttributes.of({ 'aria-label': text, tabindex: '0' });
    const view = new MergeView({
      a: { doc: before.html, extensions: [...extensions, label('Text of the version')] },
      b: { doc: after.html, extensions: [...extensions, label(`Text of ${other}`)] },
      parent: element.current,
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: true,
    });
    return () => view.destroy();
  }, []);
  if (before.html === after.html)
    return <p class="note">{`The HTML is the same as in ${other}.${others}`}</p>;
  return (
    <>
      {others && <p class="note">{others.trim()}</p>}
      <div class="text-diff" ref={element} />
    </>
  );
}

function PageDiff({ before, after }: { before: EditorDocument; after: EditorDocument }) {
  const [page, setPage] = useState(1);
  const [result, setResult] = useState<{ old: Shot | undefined; new: Shot | undefined; changed: number }>();
  const [error, setError] = useState('');
  const marks = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const shoot = async ({ html: source, data, options }: EditorDocument) =>
      printPage({ html_content: source, data, options, page }, signal);
    const work = async () => {
      const old = await shoot(before).catch(treatAsMissing);
      const fresh = await shoot(after).catch(treatAsMissing);
      const changed = await markDifferences(old?.blob, fresh?.blob, marks.current);
      setResult({ old: shotOf(old), new: shotOf(fresh), changed });
      setError('');
    };
    work().catch((thrown: unknown) => {
      if (!isAborted(thrown)) setError(reasonOf(thrown));
    });
    return () => controller.abort();
  }, [page]);
  const pages = Math.max(result?.old?.pages ?? 1, result?.new?.pages ?? 1);
  return (
    <div class="page-diff">
      <div class="page-diff-bar">
        <PageTurner page={page} pages={pages} onPage={setPage} />
        <span class="soft" role="status">
          {error ||
            (result
              ? result.changed === 0
                ? 'This page looks the same.'
                : 'Changed areas are marked.'
              : 'Printing both versions…')}
        </span>
      </div>
      <div class="page-pair" tabIndex={0} role="group" aria-label="Pages of both versions">
        <figure>
          {result?.old ? (
            <img class="sheet" src={result.old.url} alt="Page of the version" />
          ) : (
            <span class="sheet skeleton" />
          )}
          <figcaption>Version</figcaption>
        </figure>
        <figure>
          <span class="marked">
            {result?.new ? (
              <img class="sheet" src={result.new.url} alt="Page of the editor" />
            ) : (
              <span class="sheet skeleton" />
            )}
            <canvas ref={marks} aria-hidden="true" />
          </span>
          <figcaption>Editor</figcaption>
        </figure>
      </div>
    </div>
  );
}

interface Shot {
  url: string;
  pages: number;
}

function shotOf(image: PrintedImage | undefined): Shot | undefined {
  return image && { url: URL.createObjectURL(image.blob), pages: image.pages };
}

/** Treats a page that cannot be printed as missing, because only one of the documents may have it. */
function treatAsMissing(error: unknown): undefined {
  if (isAborted(error)) throw error;
  return undefined;
}
