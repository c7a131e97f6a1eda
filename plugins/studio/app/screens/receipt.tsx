import type { ComponentChildren } from 'preact';
import { formatCountOf, formatDuration, formatSize } from '../data/format.ts';
import type { Receipt } from '../data/types.ts';
import { PHASE_TITLES } from './phase-titles.ts';

/**
 * Renders the receipt of a document: the durations of its phases as a waterfall, its resources and findings.
 */
export function ReceiptPanel({ receipt }: { receipt: Receipt }) {
  const phases = Object.entries(receipt.phases).filter(([, ms]) => ms > 0);
  const total = phases.reduce((sum, [, ms]) => sum + ms, 0);
  const {
    resources,
    console: lines,
    exceptions,
    missing_glyphs: glyphs,
    schema_mismatches: mismatches,
    accessibility,
  } = receipt;
  let start = 0;
  return (
    <section class="panel receipt" aria-labelledby="receipt-title">
      <header>
        <h2 id="receipt-title" tabIndex={-1}>
          Receipt
        </h2>
        <span class="soft">{formatDuration(total)} in total</span>
      </header>
      <ol class="waterfall">
        {phases.map(([name, ms]) => {
          const left = (start / total) * 100;
          start += ms;
          return (
            <li key={name}>
              <span>{PHASE_TITLES[name] ?? name}</span>
              <span class="waterfall-track" aria-hidden="true">
                <span style={{ left: `${left}%`, width: `max(3px, ${(ms / total) * 100}%)` }} />
              </span>
              <span class="waterfall-time">{formatDuration(ms)}</span>
            </li>
          );
        })}
      </ol>
      {exceptions.entries.length > 0 && (
        <Findings title="Script errors">
          {exceptions.entries.map(({ message, line, column }) => (
            <li key={`${line}:${column}:${message}`} class="is-bad">
              {message}
              {line !== null && <small>line {line}</small>}
            </li>
          ))}
        </Findings>
      )}
      {glyphs !== null && glyphs.count > 0 && (
        <Findings title="Missing characters">
          <li class="is-bad">
            {formatCountOf(glyphs.count, 'character')} without a glyph: {glyphs.characters.join(' ')}
          </li>
        </Findings>
      )}
      {mismatches.entries.length > 0 && (
        <Findings title="Data that differs from the schema">
          {mismatches.entries.map(({ path, expected, found }) => (
            <li key={path} class="is-warn">
              <code>{path}</code>
              <small>{found === 'missing' ? 'missing' : `expected ${expected}, found ${found}`}</small>
            </li>
          ))}
        </Findings>
      )}
      {accessibility && (
        <Findings
          title={
            accessibility.claim
              ? 'Accessibility: conforms to PDF/UA-1'
              : 'Accessibility: does not conform to PDF/UA-1'
          }
          omitted={accessibility.findings.omitted}
        >
          {accessibility.findings.entries.map(({ path, severity, message }) => (
            <li key={`${path} ${message}`} class={severity === 'error' ? 'is-bad' : 'is-warn'}>
              <code title={path}>{path}</code>
              <small>{message}</small>
            </li>
          ))}
        </Findings>
      )}
      {resources.entries.length > 0 && (
        <Findings title="Resources" omitted={resources.omitted}>
          {resources.entries.map(({ url, type, outcome, reason, bytes, ms }) => (
            <li key={`${url} ${ms}`} class={reason ? 'is-bad' : undefined}>
              <code title={url}>{url}</code>
              <small>
                {reason ??
                  [
                    type.toLowerCase(),
                    outcome,
                    bytes !== null && formatSize(bytes),
                    ms !== null && formatDuration(ms),
                  ]
                    .filter(Boolean)
                    .join(', ')}
              </small>
            </li>
          ))}
        </Findings>
      )}
      {lines.entries.length > 0 && (
        <Findings title="Console" omitted={lines.omitted}>
          {lines.entries.map(({ level, text }) => (
            <li key={`${level} ${text}`} class={level === 'error' ? 'is-bad' : undefined}>
              <code>{text}</code>
              <small>{level}</small>
            </li>
          ))}
        </Findings>
      )}
    </section>
  );
}

function Findings(props: { title: string; omitted?: number; children: ComponentChildren }) {
  return (
    <div class="findings">
      <h3>{props.title}</h3>
      <ul>{props.children}</ul>
      {props.omitted !== undefined && props.omitted > 0 && (
        <p class="hint">{formatCountOf(props.omitted, 'more entry', 'more entries')} not recorded.</p>
      )}
    </div>
  );
}
