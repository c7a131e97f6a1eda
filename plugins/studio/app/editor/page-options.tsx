import { useMemo } from 'preact/hooks';
import { PAPER_FORMATS } from '../data/api-types.ts';
import { capitalise } from '../data/format.ts';
import { useSession } from '../data/session.ts';
import type { PageOptions } from '../data/types.ts';
import { Button, Check, Field, Select } from '../ui/controls.tsx';
import type { Extension } from '@codemirror/state';
import { CodeEditor, type CodeFault } from './code-editor.tsx';
import { ConformanceOptions } from './conformance-options.tsx';
import { SIDES, type PageRule } from './page-rule.ts';
import { readPosition } from './wording.ts';

const DEFAULT_FORMAT = 'A4';
const CUSTOM = 'custom';

/** Renders a form for the page options. Options without a control are kept. */
export function PageOptionsForm(props: {
  options: PageOptions;
  onChange: (options: PageOptions) => void;
  faults: Record<string, string>;
  /** The `@page` rules of the template. */
  rule: PageRule;
  /** The language of headers and footers. */
  language: Extension;
  /** Shows a line of the HTML. */
  onLine: (line: number) => void;
}) {
  const { options, faults, rule } = props;
  const { service } = useSession();
  const ruleLines = Object.values(rule.marginLines);
  const [ruleLine] = ruleLines;
  const set = (change: PageOptions) => {
    const next: PageOptions = { ...options, ...change };
    for (const [name, value] of Object.entries(next))
      if (value === undefined || value === '') delete next[name];
    props.onChange(next);
  };
  const size = typeof options.format === 'object' ? options.format : undefined;
  const format = typeof options.format === 'string' ? nameOf(options.format) : DEFAULT_FORMAT;
  const margin: Partial<Record<(typeof SIDES)[number], string | number | undefined>> =
    typeof options.margin === 'object'
      ? options.margin
      : { top: options.margin, right: options.margin, bottom: options.margin, left: options.margin };
  const setMargin = (side: (typeof SIDES)[number], value: string) => {
    const next = { ...margin, [side]: value === '' ? undefined : value };
    const values = SIDES.map((name) => next[name]);
    if (values.every((entry) => entry === undefined)) return set({ margin: undefined });
    set({ margin: Object.fromEntries(Object.entries(next).filter(([, entry]) => entry !== undefined)) });
  };
  return (
    <div class="page-options">
      <section>
        <h3>Paper</h3>
        <div class="form-grid">
          <Select
            label="Format"
            value={size ? CUSTOM : format}
            choices={[...PAPER_FORMATS.map((name) => [name, name] as const), [CUSTOM, 'Custom size']]}
            onValue={(value) =>
              set({
                format:
                  value === CUSTOM
                    ? { width: '100mm', height: '150mm' }
                    : PAPER_FORMATS.find((name) => name === value && name !== DEFAULT_FORMAT),
              })
            }
          />
          <Select
            label="Orientation"
            value={options.orientation ?? 'portrait'}
            choices={[
              ['portrait', 'Portrait'],
              ['landscape', 'Landscape'],
            ]}
            onValue={(value) => set({ orientation: value === 'landscape' ? 'landscape' : undefined })}
          />
          {size && (
            <>
              <Field
                label="Width"
                value={size.width}
                onValue={(width) => set({ format: { ...size, width } })}
                error={faults['options.format.width']}
              />
              <Field
                label="Height"
                value={size.height ?? ''}
                onValue={(height) => set({ format: { ...size, height } })}
                error={faults['options.format.height']}
              />
            </>
          )}
        </div>
      </section>
      <section>
        <h3>Margins</h3>
        {ruleLine === undefined ? (
          <p class="hint">Enter a CSS length, such as 14mm or 0.5in.</p>
        ) : (
          <div class="rule-note">
            <p class="hint">
              The @page rule in the HTML decides{' '}
              {ruleLines.length === SIDES.length
                ? 'the margins.'
                : 'the margins that cannot be changed here.'}
            </p>
            <Button size="small" onClick={() => props.onLine(ruleLine)}>
              Go to line {ruleLine}
            </Button>
          </div>
        )}
        <div class="form-grid four">
          {SIDES.map((side) => (
            <Field
              key={side}
              label={capitalise(side)}
              value={String(margin[side] ?? '')}
              placeholder={rule.marginLines[side] === undefined ? '0.5in' : '@page'}
              disabled={rule.marginLines[side] !== undefined}
              onValue={(value) => setMargin(side, value)}
              error={faults[`options.margin.${side}`]}
            />
          ))}
        </div>
        {faults['options.margin'] && <p class="field-error">{faults['options.margin']}</p>}
      </section>
      <section>
        <h3>Header and footer</h3>
        <p class="hint">
          This HTML is printed on every page. <code>{'{{pageNumber}}'}</code> and{' '}
          <code>{'{{totalPages}}'}</code> are replaced with numbers, and <code>{'{{sectionTitle}}'}</code>{' '}
          with the title of a <code>{'<section data-section="Title">'}</code>.
          {rule.hasMarginBoxes &&
            ' The @page rule of the template also prints a header or footer, so the two can overlap.'}
        </p>
        <div class="stack">
          {(['header', 'footer'] as const).map((name) => (
            <PageText
              key={name}
              label={name === 'header' ? 'Header' : 'Footer'}
              language={props.language}
              value={options[name] ?? ''}
              onValue={(html) => set({ [name]: html })}
              error={faults[`options.${name}`]}
            />
          ))}
        </div>
      </section>
      <section>
        <h3>Printing</h3>
        <div class="stack close">
          <Check
            label="Print backgrounds"
            hint="Prints background colours and images."
            checked={options.printBackground ?? true}
            onValue={(checked) => set({ printBackground: checked ? undefined : false })}
          />
          <Check
            label="One long page"
            hint="Prints a single page as tall as its content, for example a receipt."
            checked={options.singlePage ?? false}
            onValue={(checked) => set({ singlePage: checked || undefined })}
          />
          <Check
            label="Bookmarks"
            hint="Makes an outline from the headings."
            checked={options.outline ?? false}
            onValue={(checked) => set({ outline: checked || undefined })}
          />
          <Check
            label="Strict"
            hint="Fails if an image, a font or a script fails, instead of printing without it."
            checked={options.strict ?? false}
            onValue={(checked) => set({ strict: checked || undefined })}
          />
          {(service.has_earlier_browser || options.browser) && (
            <Check
              label="Earlier browser"
              hint="Prints with the earlier version of Chromium that the operator keeps. Documents that programs make from the saved template are printed with it, too."
              checked={options.browser === 'earlier'}
              onValue={(checked) => set({ browser: checked ? 'earlier' : undefined })}
            />
          )}
          {faults['options.browser'] && <p class="field-error">{faults['options.browser']}</p>}
        </div>
      </section>
      <ConformanceOptions options={options} set={set} faults={faults} />
    </div>
  );
}

/** Renders the code of a header or footer, with completion and the position of an error. */
function PageText(props: {
  label: string;
  language: Extension;
  value: string;
  onValue: (html: string) => void;
  error: string | undefined;
}) {
  const { label, error = '' } = props;
  const faults = useMemo<CodeFault[]>(() => {
    const fault = readPosition(error);
    return fault ? [fault] : [];
  }, [error]);
  const [fault] = faults;
  return (
    <div class="field" role="group" aria-label={label}>
      <span class="label">{label}</span>
      <div class="page-text">
        <CodeEditor
          label={`${label} of the pages`}
          value={props.value}
          language={props.language}
          faults={faults}
          onChange={props.onValue}
        />
      </div>
      {error && (
        <p class="field-error">
          {fault ? `Line ${fault.line}, column ${fault.column}: ${fault.message}` : error}
        </p>
      )}
    </div>
  );
}

/** Returns the name of a format as the form lists it. The API ignores the case of names. */
function nameOf(format: string): string {
  return PAPER_FORMATS.find((name) => name.toLowerCase() === format.toLowerCase()) ?? format;
}
