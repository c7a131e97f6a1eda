import type { ComponentChildren } from 'preact';
import { Icon } from '../ui/icon.tsx';

/** The outcome of a check: passed, failed or undecided. */
export type Outcome = 'good' | 'bad' | 'open';

/** Renders the outcome of a check as a heading, with the reasons below it. */
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
