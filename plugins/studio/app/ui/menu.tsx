import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './controls.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  label: string;
  icon?: IconName;
  isDanger?: boolean;
  action: () => void;
}

/** Renders a button that opens a menu. Arrow keys move between its entries, and Escape closes it. */
export function Menu({
  label,
  items,
  icon = 'more',
}: {
  label: string;
  items: (MenuItem | false)[];
  icon?: IconName;
}) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  useEffect(() => {
    if (!isOpen) return;
    entries()[0]?.focus();
    const close = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const all = entries();
    const index = all.indexOf(document.activeElement as HTMLElement);
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) all[(index + move + all.length) % all.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') {
      setOpen(false);
      root.current?.querySelector<HTMLElement>('button')?.focus();
    } else return;
    if (event.key !== 'Tab') event.preventDefault();
  };
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <Button
        icon={icon}
        kind="quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div class="menu-list" role="menu" aria-label={label}>
          {items.map(
            (item) =>
              item && (
                <button
                  key={item.label}
                  type="button"
                  role="menuitem"
                  tabIndex={-1}
                  class={item.isDanger ? 'danger' : undefined}
                  onClick={() => {
                    setOpen(false);
                    // A dialog that the action opens returns the focus to the button.
                    root.current?.querySelector<HTMLElement>('button')?.focus();
                    item.action();
                  }}
                >
                  {item.icon && <Icon name={item.icon} />}
                  {item.label}
                </button>
              ),
          )}
        </div>
      )}
    </div>
  );
}
