import { capitalise } from '../data/format.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Field, Select, TextArea } from '../ui/controls.tsx';
import { textOf, type Tool } from './operation.ts';
import { JsonReport } from './report.tsx';
import { Verdict } from './verdict.tsx';

/** Parses the JSON of a form. Returns undefined if it is not valid. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Removes the passwords of a file. */
export const unlock: Tool = {
  slug: 'unlock',
  name: 'Remove the password',
  text: 'Make a copy that opens without a password and has no restrictions.',
  icon: 'key',
  action: 'Remove the password',
  suffix: 'unlocked',
  initial: { password: '' },
  request: ({ password }, [file]) => ({ path: '/v1/pdf/unlock', body: { pdf: file?.id, password } }),
  form: (values, set) => (
    <Field
      label="Password of the file"
      hint="Leave the field empty if the file opens without a password."
      type="password"
      autocomplete="off"
      value={String(values['password'])}
      onValue={(password) => set({ password })}
    />
  ),
};

/** Adds a document timestamp. */
export const timestamp: Tool = {
  slug: 'timestamp',
  name: 'Add a timestamp',
  text: 'Let the timestamp authority of this server confirm that a file existed at this time.',
  icon: 'history',
  action: 'Add the timestamp',
  suffix: 'timestamped',
  isOffered: ({ has_timestamps: hasTimestamps }) => hasTimestamps,
  initial: {},
  request: (_, [file]) => ({ path: '/v1/pdf/timestamp', body: { pdf: file?.id } }),
};

const FIELD = { name: 'Customer', type: 'text', page: 0, x: 72, y: 72, width: 200, height: 20 };

/** Adds form fields. */
export const addFields: Tool = {
  slug: 'add-fields',
  name: 'Add form fields',
  text: 'Add text fields, checkboxes, lists and signature fields to a file.',
  icon: 'plus',
  action: 'Add the fields',
  suffix: 'form',
  isOffered: ({ plugins }) => plugins.includes('forms'),
  initial: { fields: JSON.stringify([FIELD], null, 2) },
  request: (values, [file]) => {
    const fields = readJson(textOf(values, 'fields'));
    if (!Array.isArray(fields)) return 'The fields must be a list in JSON.';
    return { path: '/v1/pdf/forms/add-fields', body: { pdf: file?.id, fields } };
  },
  form: (values, set) => (
    <TextArea
      label="Fields"
      hint="A list in JSON. Pages count from 0; x and y are points from the lower left corner of the page."
      rows={12}
      isCode
      value={String(values['fields'])}
      onValue={(fields) => set({ fields })}
    />
  ),
};

/** Runs several operations, one after the other. */
export const pipeline: Tool = {
  slug: 'pipeline',
  name: 'Several steps',
  text: 'Run several operations on a file with one request.',
  icon: 'play',
  action: 'Run the steps',
  suffix: 'result',
  initial: {
    steps: JSON.stringify(
      [{ do: 'stamp', text: 'COPY', position: 'top-right' }, { do: 'compress' }],
      null,
      2,
    ),
  },
  request: (values, [file]) => {
    const steps = readJson(textOf(values, 'steps'));
    if (!Array.isArray(steps)) return 'The steps must be a list in JSON.';
    return { path: '/v1/pdf/pipeline', body: { pdf: file?.id, steps } };
  },
  form: (values, set) => (
    <TextArea
      label="Steps"
      hint="A list in JSON. “do” names the operation, and the other fields are the fields of its request."
      rows={10}
      isCode
      value={String(values['steps'])}
      onValue={(steps) => set({ steps })}
    />
  ),
  report: (result) => <JsonReport result={result} />,
};

/** Embeds an invoice as data in a file. */
export const invoice: Tool = {
  slug: 'invoice',
  name: 'Make an electronic invoice',
  text: 'Embed the data of an invoice in its PDF, as Factur-X, ZUGFeRD or XRechnung.',
  icon: 'code',
  action: 'Make the invoice',
  suffix: 'invoice',
  initial: { profile: 'en16931', data: '' },
  request: (values, [file]) => {
    const data = readJson(textOf(values, 'data'));
    if (typeof data !== 'object' || data === null) return 'Enter the data of the invoice in JSON.';
    return { path: '/v1/pdf/invoice', body: { pdf: file?.id, profile: values['profile'], data } };
  },
  form: (values, set) => (
    <>
      <Select
        label="Profile"
        value={textOf(values, 'profile')}
        choices={[
          ['en16931', 'EN 16931'],
          ['xrechnung', 'XRechnung'],
          ['extended', 'Extended'],
          ['basic', 'Basic'],
          ['basic_wl', 'Basic WL'],
          ['minimum', 'Minimum'],
        ]}
        onValue={(profile) => set({ profile })}
      />
      <TextArea
        label="Data"
        hint="The invoice in JSON, as the guide to electronic invoices describes it."
        rows={12}
        isCode
        placeholder={'{ "ubl:Invoice": { "cbc:ID": "2026-0042", … } }'}
        value={String(values['data'])}
        onValue={(data) => set({ data })}
      />
    </>
  ),
};

interface InvoiceReading {
  found: boolean;
  profile: string | null;
  xml: string | null;
  valid: boolean | null;
  message?: string;
  findings: { rule: string; message: string }[];
}

/** Reads and checks the invoice in a file. */
export const readInvoice: Tool = {
  slug: 'read-invoice',
  name: 'Read an electronic invoice',
  text: 'Show the data of the invoice in a file, and check it against the rules of its profile.',
  icon: 'validate',
  action: 'Read the invoice',
  initial: {},
  request: (_, [file]) => ({ path: '/v1/pdf/invoice/read', body: { pdf: file?.id }, returnsJson: true }),
  report: (result) => <InvoiceReport {...(result as InvoiceReading)} />,
};

function InvoiceReport({ found, profile, xml, valid, message, findings }: InvoiceReading) {
  if (!found) return <Verdict outcome="open" title="The file contains no electronic invoice" />;
  const outcome = valid === null ? 'open' : valid ? 'good' : 'bad';
  const titles = {
    open: 'The invoice was not checked',
    good: 'The invoice follows all rules',
    bad: 'The invoice breaks rules',
  };
  return (
    <>
      <Verdict outcome={outcome} title={titles[outcome]}>
        {profile && <p class="soft">Profile: {profile}</p>}
        {message && <p class="soft">{capitalise(message)}</p>}
        {findings.length > 0 && (
          <ul class="problems">
            {findings.map((finding) => (
              <li key={`${finding.rule} ${finding.message}`}>
                {capitalise(finding.message)}
                <small>{finding.rule}</small>
              </li>
            ))}
          </ul>
        )}
      </Verdict>
      {xml && <CodeBlock label="Data of the invoice" code={xml} />}
    </>
  );
}
