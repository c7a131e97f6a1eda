import { Dialog } from '../ui/dialog.tsx';
import { isApple, MOD } from './mod-key.ts';

/** The keys of the editor and the studio, by group. */
const GROUPS: readonly (readonly [
  title: string,
  keys: readonly (readonly [keys: string, effect: string])[],
])[] = [
  [
    'Template',
    [
      [`${MOD} S`, 'Save'],
      [`${MOD} Enter`, 'Make a PDF'],
      [`${MOD} I`, 'Insert a part or a helper'],
      [`${MOD} K`, 'Search views, templates and commands'],
      ['?', 'Show this list, outside of fields'],
    ],
  ],
  [
    'Find',
    [
      [`${MOD} F`, 'Find'],
      [isApple ? '⌘ Alt F' : 'Ctrl H', 'Find and replace'],
      [isApple ? '⌘ G' : 'F3', 'Next match'],
      [isApple ? '⌘ Shift G' : 'Shift F3', 'Previous match'],
      [`${MOD} Alt G`, 'Go to a line'],
    ],
  ],
  [
    'Write',
    [
      ['Ctrl Space', 'Complete a name or a helper'],
      [`${MOD} Z`, 'Undo'],
      [isApple ? '⌘ Shift Z' : 'Ctrl Y', 'Redo'],
      [`${MOD} /`, 'Comment or uncomment'],
      ['F8', 'Next error or missing variable'],
      ['Tab, Shift Tab', 'Indent, or reduce the indentation'],
      ['Esc, then Tab', 'Leave the editor'],
    ],
  ],
];

/** Renders the list of keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class="stack">
        {GROUPS.map(([title, keys]) => (
          <section key={title} class="keys">
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, effect]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
