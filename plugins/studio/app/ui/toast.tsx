import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'error';
  action?: { label: string; run: () => void } | undefined;
  lastsMs: number;
}

let toasts: Toast[] = [];
let nextId = 1;
let render: (() => void) | undefined;

/**
 * Shows a message at the bottom of the window. An action is offered next to it until the message disappears.
 */
export function toast(
  text: string,
  options: { kind?: 'done' | 'error'; action?: Toast['action']; lastsMs?: number } = {},
): void {
  const { kind = 'done', action, lastsMs = kind === 'error' ? 8000 : 4000 } = options;
  const id = nextId;
  nextId += 1;
  toasts = [...toasts.slice(-2), { id, text, kind, action, lastsMs }];
  setTimeout(() => close(id), lastsMs);
  render?.();
}

/**
 * Removes the error messages. Called before another attempt, and when the view or the faulty input changes.
 */
export function clearErrors(): void {
  if (!toasts.some(({ kind }) => kind === 'error')) return;
  toasts = toasts.filter(({ kind }) => kind !== 'error');
  render?.();
}

function close(id: number): void {
  toasts = toasts.filter((entry) => entry.id !== id);
  render?.();
}

/** Renders the messages. */
export function Toasts() {
  const [, update] = useState(0);
  useEffect(() => {
    render = () => update((count) => count + 1);
    return () => {
      render = undefined;
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, kind, action, lastsMs }) => (
        <div key={id} class={`toast ${kind}`}>
          <Icon name={kind === 'error' ? 'error' : 'check'} />
          <span>{text}</span>
          {kind === 'error' && (
            <button
              type="button"
              class="toast-action only-icon"
              aria-label="Dismiss"
              onClick={() => close(id)}
            >
              <Icon name="close" />
            </button>
          )}
          {action && (
            <button
              type="button"
              class="toast-action"
              onClick={() => {
                close(id);
                action.run();
              }}
            >
              {action.label}
              <Countdown seconds={Math.round(lastsMs / 1000)} />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

function Countdown({ seconds }: { seconds: number }) {
  const [remaining, setRemaining] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setRemaining((count) => Math.max(0, count - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="countdown" aria-hidden="true">
      {remaining}
    </span>
  );
}
