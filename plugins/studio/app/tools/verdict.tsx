import type { ComponentChildren } from 'preact';
import { Icon } from '../ui/icon.tsx';

/** The result of a check: passed, failed, or neither. */
export type Outcome = 'good' | 'bad' | 'open';

/** Renders the result of a check as a heading with its outcome, and the reasons below it. */
export function Verdict(props: { outcome: Outcome; title: string; children?: ComponentChildren }) {
  const icon = { good: 'check', bad: 'error', open: 'warning' } as const;
  return (
    <section class={`verdict panel ${props.outcome}`}>
      <h2>
        <Icon name={icon[props.outcome]} />
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}
