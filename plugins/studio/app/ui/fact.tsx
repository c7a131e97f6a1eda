import type { ComponentChildren } from 'preact';

/** Renders a property and its value as a row of a `dl` element. */
export function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
