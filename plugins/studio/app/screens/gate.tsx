import type { ComponentChildren } from 'preact';
import { Mark } from '../ui/icon.tsx';
import { starterImage } from '../data/starters.ts';

const SHOWN_STARTERS = [
  'invoice-modern',
  'report',
  'invoice-tax-breakdown',
  'quote',
  'payslip',
  'event-ticket',
];

/** Renders the frame of the views without a session: a form next to printed pages of starters. */
export function Gate({ children }: { children: ComponentChildren }) {
  const images = SHOWN_STARTERS.flatMap((slug) => starterImage(slug) ?? []);
  return (
    <div class="gate">
      <main class="gate-form">
        <p class="gate-brand">
          <Mark size={28} /> Platen
        </p>
        {children}
      </main>
      <div class="gate-pages" aria-hidden="true">
        {images.map((url) => (
          <img key={url} src={url} alt="" width="320" height="452" />
        ))}
      </div>
    </div>
  );
}
