import { PDFA_LEVELS } from '../data/pdfa.ts';
import type { PageOptions } from '../data/types.ts';
import { Field, Select } from '../ui/controls.tsx';

const ACCESSIBILITY = [
  ['', 'Not required'],
  ['report', 'PDF/UA-1: list faults as notes'],
  ['strict', 'PDF/UA-1: fail if there are faults'],
] as const;

/**
 * Renders the options that make a document conform to PDF/A and PDF/UA, and the properties that these
 * standards need.
 */
export function ConformanceOptions(props: {
  options: PageOptions;
  set: (change: PageOptions) => void;
  faults: Record<string, string>;
}) {
  const { options, set, faults } = props;
  const { pdfa = false, accessible = false, properties = {} } = options;
  const setProperty = (name: 'title' | 'language', value: string) => {
    const { [name]: _, ...others } = properties;
    const next = value === '' ? others : { ...others, [name]: value };
    set({ properties: Object.keys(next).length > 0 ? next : undefined });
  };
  return (
    <section>
      <h3>Standards</h3>
      <p class="hint">
        Platen validates the finished PDF, which then claims only the standards to which it conforms.
      </p>
      <div class="stack close">
        <Select
          label="Archiving"
          value={pdfa === true ? '1b' : pdfa || ''}
          choices={[['', 'Not required'], ...PDFA_LEVELS]}
          onValue={(level) => set({ pdfa: PDFA_LEVELS.find(([each]) => each === level)?.[0] })}
          error={faults['options.pdfa']}
        />
        <Select
          label="Accessibility"
          value={accessible === true ? 'strict' : accessible || ''}
          choices={ACCESSIBILITY}
          onValue={(choice) =>
            set({ accessible: choice === 'strict' ? true : choice === 'report' ? choice : undefined })
          }
          error={faults['options.accessible']}
        />
      </div>
      <div class="form-grid">
        <Field
          label="Title of the document"
          hint="The default is the title element of the HTML."
          value={properties.title ?? ''}
          onValue={(title) => setProperty('title', title)}
          error={faults['options.properties.title']}
        />
        <Field
          label="Language"
          hint="The default is the lang attribute of the HTML."
          placeholder="en-GB"
          value={properties.language ?? ''}
          onValue={(language) => setProperty('language', language)}
          error={faults['options.properties.language']}
        />
      </div>
    </section>
  );
}
