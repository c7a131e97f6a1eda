import type { Extension } from '@codemirror/state';
import { EditorView, keymap, type Command } from '@codemirror/view';
import { reasonOf } from '../data/api.ts';
import { toast } from '../ui/toast.tsx';

/** Opens the search panel, whose code is loaded when it is first needed. */
export function find(view: EditorView, field: 'search' | 'replace' = 'search'): void {
  import('./search.ts').then(
    ({ openSearch }) => openSearch(view, field),
    (error: unknown) => toast(reasonOf(error), { kind: 'error' }),
  );
}

const finding =
  (field: 'search' | 'replace'): Command =>
  (view) => {
    find(view, field);
    return true;
  };

/** The keys that open the search panel. */
export const findKeys: Extension = keymap.of([
  { key: 'Mod-f', run: finding('search'), scope: 'editor search-panel', preventDefault: true },
  {
    key: 'Ctrl-h',
    mac: 'Cmd-Alt-f',
    run: finding('replace'),
    scope: 'editor search-panel',
    preventDefault: true,
  },
]);

/**
 * Makes Tab leave the editor after Escape, until another key is pressed or the editor loses the focus (WCAG
 * 2.1.2). CodeMirror's own mode ends after two seconds. `onChange` tells whether Tab leaves the editor.
 */
export function leaveWithTab(onChange: (tabLeaves: boolean) => void): Extension {
  let tabLeaves = false;
  const set = (view: EditorView, next: boolean) => {
    if (next === tabLeaves) return;
    tabLeaves = next;
    view.setTabFocusMode(next);
    onChange(next);
  };
  return [
    keymap.of([
      {
        key: 'Escape',
        run(view) {
          set(view, true);
          view.dispatch({ effects: EditorView.announce.of('Tab now leaves the editor.') });
          // Escape also reduces the selection to the cursor.
          return false;
        },
      },
    ]),
    EditorView.domEventObservers({
      keydown: ({ key }, view) => {
        if (!['Escape', 'Shift', 'Tab'].includes(key)) set(view, false);
      },
      pointerdown: (_, view) => set(view, false),
      blur: (_, view) => set(view, false),
    }),
  ];
}
