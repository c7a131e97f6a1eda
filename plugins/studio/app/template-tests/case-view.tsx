import { capitalise, formatAgo } from '../data/format.ts';
import type { CheckedCase, TemplateCase } from '../data/types.ts';
import { useSubmission } from '../ui/attempt.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/states.tsx';
import { CasePages } from './case-pages.tsx';
import { STATES, type CaseState } from './cases.ts';

/** Renders a case: its pages beside the accepted ones, the findings about its layout, and its data. */
export function CaseView(props: {
  entry: TemplateCase;
  state: CaseState;
  result: CheckedCase | undefined;
  /** Accepts the pages; undefined if they cannot be accepted. */
  onAccept: (() => Promise<void>) | undefined;
  /** Why the pages cannot be accepted, or an empty string. */
  obstacle: string;
  onEdit: (() => void) | undefined;
  onClose: () => void;
}) {
  const { entry, state, result, onAccept } = props;
  const { isBusy, error, submit } = useSubmission();
  const [label, badge] = STATES[state];
  return (
    <Dialog
      title={entry.name}
      size="full"
      onClose={props.onClose}
      actions={
        <>
          {props.obstacle && <p class="soft case-obstacle">{props.obstacle}</p>}
          <Button onClick={props.onClose}>Close</Button>
          {onAccept && (
            <Button kind="primary" icon="check" isBusy={isBusy} onClick={() => void submit(onAccept)}>
              Accept this case
            </Button>
          )}
        </>
      }
    >
      <div class="case-view">
        <section class="case-facts" aria-label="Result">
          <p class="row">
            <span class={`badge ${badge}`}>{label}</span>
            <small class="soft">{describeAccepted(entry)}</small>
          </p>
          <FormError error={error} />
          {result?.error && <FormError error={capitalise(result.error.message)} />}
          {result && result.layout.length > 0 && (
            <>
              <h3>Layout</h3>
              <ul class="case-findings">
                {result.layout.map(({ page, finding }) => (
                  <li key={`${page} ${finding}`}>
                    {page === null ? '' : `Page ${page}: `}
                    {page === null ? capitalise(finding) : finding}
                  </li>
                ))}
              </ul>
            </>
          )}
          <div class="row">
            <h3>Data</h3>
            {props.onEdit && (
              <Button size="small" onClick={props.onEdit}>
                Edit
              </Button>
            )}
          </div>
          <CodeBlock label="Data of the case" code={JSON.stringify(entry.data, null, 2)} />
        </section>
        <CasePages entry={entry} result={result} />
      </div>
    </Dialog>
  );
}

function describeAccepted({ accepted }: TemplateCase): string {
  if (!accepted) return 'No pages were accepted yet.';
  const source = accepted.version === null ? 'from a PDF' : `from version ${accepted.version}`;
  return `Pages accepted ${formatAgo(accepted.accepted_at)}, ${source}.`;
}
