// Loaded when the search panel is opened for the first time.
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** The words of the panel. The keys are CodeMirror's own words. */
const phrases = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
  'current match': 'Current match',
  'on line': 'on line',
  'replaced $ matches': 'Replaced $ matches',
  'replaced match on line $': 'Replaced the match on line $',
  'Go to line': 'Line',
  go: 'Go',
});

const theme = EditorView.theme({
  '.cm-panels': { backgroundColor: 'var(--ground)', color: 'var(--ink)', fontFamily: 'var(--sans)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-dialog': { padding: '6px 44px 6px 12px' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    margin: '3px 8px 3px 0',
    verticalAlign: 'middle',
  },
  '.cm-textfield': {
    width: '220px',
    maxWidth: '100%',
    height: '28px',
    padding: '0 8px',
    font: '12.5px/1.4 var(--mono)',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--field-line)',
    borderRadius: 'var(--radius-small)',
  },
  '.cm-button': {
    height: '28px',
    padding: '0 10px',
    fontSize: 'var(--text-1)',
    fontWeight: '500',
    color: 'var(--ink)',
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    cursor: 'pointer',
    '&:hover': { backgroundColor: 'var(--hover)' },
    '&:active': { backgroundImage: 'none', backgroundColor: 'var(--hover)' },
  },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '6px',
    minHeight: '24px',
    fontSize: 'var(--text-1)',
    whiteSpace: 'nowrap',
  },
  '.cm-panel.cm-search [name=close]': {
    top: '6px',
    right: '4px',
    width: '28px',
    height: '28px',
    fontSize: '18px',
    color: 'var(--soft)',
    borderRadius: 'var(--radius-small)',
    cursor: 'pointer',
    '&:hover': { backgroundColor: 'var(--hover)' },
  },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--warn) 26%, transparent)' },
  '.cm-searchMatch-selected': {
    backgroundColor: 'color-mix(in srgb, var(--warn) 52%, transparent)',
    outline: '1px solid var(--warn)',
  },
});

const extension = [search({ top: true }), keymap.of(searchKeymap), phrases, theme];
const views = new WeakSet<EditorView>();

/** Opens the search panel and selects the text of a field. */
export function openSearch(view: EditorView, field: 'search' | 'replace'): void {
  if (!views.has(view)) view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  views.add(view);
  openSearchPanel(view);
  view.dom.querySelector<HTMLInputElement>(`.cm-search [name=${field}]`)?.select();
}
