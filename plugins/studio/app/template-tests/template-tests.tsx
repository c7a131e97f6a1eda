import { useState } from 'preact/hooks';
import { get, post, put, remove, retrying } from '../data/api.ts';
import { formatCountOf } from '../data/format.ts';
import { readRows } from '../data/list.ts';
import { useResource } from '../data/resource.ts';
import { useMay } from '../data/session.ts';
import type { Template, TemplateCase } from '../data/types.ts';
import { attempt } from '../ui/attempt.ts';
import { Button, Check, Select } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Empty, FormError, Loaded } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { CaseCard } from './case-card.tsx';
import { CaseForm, type CaseDraft } from './case-form.tsx';
import { CaseView } from './case-view.tsx';
import { acceptedResult, isAcceptable, nameOfCopy, pathOfCase, stateOf, summaryOf } from './cases.ts';
import { checkedOf, hasOtherOptions, keyOf, targetsOf, type EditorDocument } from './targets.ts';
import { useRun } from './use-run.ts';

type Question =
  | { kind: 'form'; draft: CaseDraft }
  | { kind: 'case' | 'delete'; name: string }
  | { kind: 'accept'; names: readonly string[] };

/** How many names a question lists. */
const MAX_LISTED_NAMES = 5;

/**
 * Renders the cases of a stored template: their first pages, the check against the accepted pages, and the
 * actions on cases whose pages differ.
 */
export function TemplateTests(props: {
  template: Template;
  /** The document in the editor, which may differ from `template`. */
  editor: EditorDocument;
  /** Receives the template with its current version when it has changed. */
  onTemplate: (latest: Template) => void;
}) {
  const { template, editor } = props;
  const path = `/v1/templates/${template.id}`;
  const mayEdit = useMay()('editor');
  const cases = useResource(`cases ${template.id}`, (signal) =>
    readRows<TemplateCase>(`${path}/cases`, { signal }),
  );
  const run = useRun(template.id);
  const [chosen, setChosen] = useState('');
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);

  const targets = targetsOf(template, editor);
  const target = targets.some(([value]) => value === chosen) ? chosen : (targets[0]?.[0] ?? '');
  const checked = checkedOf(target, editor);
  const key = keyOf(template, checked);
  const list = cases.data?.data ?? [];
  const names = list.map(({ name }) => name);
  const results = run.of === key ? run.results : new Map<string, never>();
  const isRunning = run.waiting.size > 0;
  const states = new Map(
    list.map((entry) => [entry.name, stateOf(entry, { results, waiting: run.waiting })] as const),
  );
  const acceptable = names.filter((name) => isAcceptable(results.get(name)));
  const obstacle = 'version' in checked ? '' : 'Save the template or a draft to accept these pages.';

  const start = (only: readonly string[]) => void run.start(checked, only, key);
  const accept = async (accepted: readonly string[]) => {
    if (!('version' in checked)) return;
    let isPromoted = false;
    try {
      for (const name of accepted) {
        const place = `${pathOfCase(template.id, name)}/accept`;
        const { promoted = false } = await retrying(() => post<TemplateCase>(place, checked));
        isPromoted ||= promoted;
        const result = results.get(name);
        run.set(name, result && acceptedResult(result));
      }
    } finally {
      cases.reload();
    }
    if (isPromoted) props.onTemplate(await get<Template>(path));
    const done = `The pages of ${formatCountOf(accepted.length, 'case')} were accepted.`;
    toast(isPromoted ? `${done} Version ${checked.version} is current now.` : done);
  };
  const requireChecks = (isRequired: boolean) =>
    attempt(async () => props.onTemplate(await put<Template>(path, { require_checks: isRequired })));
  const edit = ({ name, data, options }: TemplateCase, isNew = false) =>
    setQuestion({
      kind: 'form',
      draft: { name: isNew ? nameOfCopy(name, names) : name, isNew, data, options },
    });
  const create = () =>
    setQuestion({ kind: 'form', draft: { name: '', isNew: true, data: editor.data, options: null } });
  const opened = question?.kind === 'case' ? list.find(({ name }) => name === question.name) : undefined;

  return (
    <div class="tests">
      <Loaded from={cases}>
        {() =>
          list.length === 0 ? (
            <Empty
              icon="verify"
              title="No cases yet"
              text="A case is data with which this template is printed, and the pages that you accepted. The tests print all cases again, and show each page that has changed since."
            >
              {mayEdit && (
                <Button kind="primary" icon="plus" onClick={create}>
                  New case
                </Button>
              )}
            </Empty>
          ) : (
            <>
              <div class="tests-bar">
                {mayEdit && (
                  <>
                    <Select label="Check" isBare value={target} choices={targets} onValue={setChosen} />
                    {isRunning ? (
                      <Button onClick={run.stop}>Stop</Button>
                    ) : (
                      <Button kind="primary" icon="play" onClick={() => start(names)}>
                        Run the tests
                      </Button>
                    )}
                  </>
                )}
                <span class="soft" role="status">
                  {isRunning
                    ? `${formatCountOf(run.waiting.size, 'case')} left…`
                    : summaryOf([...results.keys()].map((name) => states.get(name)))}
                </span>
                {mayEdit && (
                  <div class="row tests-actions">
                    {acceptable.length > 0 && !isRunning && (
                      <Button
                        icon="check"
                        disabled={obstacle !== ''}
                        onClick={() => setQuestion({ kind: 'accept', names: acceptable })}
                      >
                        Accept all ({acceptable.length})
                      </Button>
                    )}
                    <Button icon="plus" onClick={create}>
                      New case
                    </Button>
                  </div>
                )}
              </div>
              <BrowserFact cases={list.filter(({ name }) => !results.has(name))} mayRun={mayEdit} />
              {acceptable.length > 0 && obstacle && !isRunning && <p class="soft">{obstacle}</p>}
              {hasOtherOptions(template, editor) && (
                <p class="soft">
                  The tests use the page options of version {template.version}: yours are not saved.
                </p>
              )}
              <FormError error={run.error} />
              <ul class="cards" aria-label="Cases">
                {list.map((entry) => (
                  <CaseCard
                    key={entry.name}
                    entry={entry}
                    state={states.get(entry.name) ?? 'new'}
                    result={results.get(entry.name)}
                    onOpen={() => setQuestion({ kind: 'case', name: entry.name })}
                    actions={
                      mayEdit && [
                        { label: 'Run this case', icon: 'play', action: () => start([entry.name]) },
                        { label: 'Edit', icon: 'code', action: () => edit(entry) },
                        { label: 'Make a copy', icon: 'copy', action: () => edit(entry, true) },
                        {
                          label: 'Delete',
                          icon: 'trash',
                          isDanger: true,
                          action: () => setQuestion({ kind: 'delete', name: entry.name }),
                        },
                      ]
                    }
                  />
                ))}
              </ul>
              {mayEdit && template.format === 'html' && (
                <Check
                  label="Require the tests"
                  hint="A new version whose pages differ is stored as a draft, and becomes current when its pages are accepted."
                  checked={template.require_checks}
                  onValue={(isRequired) => void requireChecks(isRequired)}
                />
              )}
            </>
          )
        }
      </Loaded>
      {opened && (
        <CaseView
          entry={opened}
          state={states.get(opened.name) ?? 'new'}
          result={results.get(opened.name)}
          obstacle={acceptable.includes(opened.name) ? obstacle : ''}
          onAccept={
            mayEdit && acceptable.includes(opened.name) && !obstacle ? () => accept([opened.name]) : undefined
          }
          onEdit={mayEdit ? () => edit(opened) : undefined}
          onClose={close}
        />
      )}
      {question?.kind === 'form' && (
        <CaseForm
          template={template.id}
          draft={question.draft}
          taken={names}
          onSaved={({ name }) => {
            run.set(name, undefined);
            cases.reload();
          }}
          onClose={close}
        />
      )}
      {question?.kind === 'accept' && (
        <Confirm
          title={`Accept the pages of ${formatCountOf(question.names.length, 'case')}?`}
          text={`Later tests compare with the pages of this check, in place of those that were accepted before: ${listed(question.names)}.`}
          action={`Accept ${formatCountOf(question.names.length, 'case')}`}
          onClose={close}
          run={async () => accept(question.names)}
        />
      )}
      {question?.kind === 'delete' && (
        <Confirm
          title="Delete this case?"
          text={`The case “${question.name}” and its accepted pages cannot be restored.`}
          action="Delete"
          onClose={close}
          run={async () => {
            await remove(pathOfCase(template.id, question.name));
            run.set(question.name, undefined);
            cases.reload();
          }}
        />
      )}
    </div>
  );
}

/** Says that a new version of the browser changes the pages of cases that have not been run since. */
function BrowserFact({ cases, mayRun }: { cases: readonly TemplateCase[]; mayRun: boolean }) {
  const changed = cases.filter(({ browser_change: change }) => change && change.status !== 'equal');
  const change = changed[0]?.browser_change;
  if (!change) return null;
  return (
    <p class="soft">
      Chromium changed from {change.from} to {change.to}, which changes the pages of{' '}
      {formatCountOf(changed.length, 'case')}.
      {mayRun && ' Run the tests to see the differences and to accept them.'}
    </p>
  );
}

/** Lists the first names of several cases. */
function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED_NAMES;
  return [...names.slice(0, MAX_LISTED_NAMES), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
