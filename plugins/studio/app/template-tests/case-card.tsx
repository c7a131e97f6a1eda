import { capitalise } from '../data/format.ts';
import type { CheckedCase, TemplateCase } from '../data/types.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { PageImage } from '../ui/page-image.tsx';
import { pageOf, STATES, type CaseState } from './cases.ts';

/** Renders the first page of a case, its name, its state, and a menu of actions. The page opens the case. */
export function CaseCard(props: {
  entry: TemplateCase;
  state: CaseState;
  result: CheckedCase | undefined;
  onOpen: () => void;
  /** The entries of the menu; `false` for members who may not change the template. */
  actions: readonly MenuItem[] | false;
}) {
  const { entry, state, result, actions } = props;
  const { accepted, current } = pageOf(entry, result, { page: 1, widthPx: 300 });
  const url = current ?? accepted;
  const [label, badge] = STATES[state];
  return (
    <li class="case">
      <button type="button" class="card" onClick={props.onOpen}>
        <span class={state === 'waiting' ? 'sheet-frame is-waiting' : 'sheet-frame'} aria-hidden="true">
          {url ? (
            <PageImage key={entry.accepted?.accepted_at} url={url} alt="" />
          ) : (
            <span class="sheet blank">
              <Icon name={state === 'failed' ? 'error' : 'template'} size={20} />
              <small>{state === 'failed' ? 'No pages' : 'Not printed yet'}</small>
            </span>
          )}
        </span>
        <span class="card-text">
          <strong title={entry.name}>{entry.name}</strong>
        </span>
      </button>
      <div class="case-foot">
        <span class={`badge ${badge}`}>{label}</span>
        {result?.error && <small class="case-error">{capitalise(result.error.message)}</small>}
        {actions && <Menu label={`Actions for ${entry.name}`} items={[...actions]} />}
      </div>
    </li>
  );
}
