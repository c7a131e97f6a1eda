import { everyBody, json, keys, MB, type Stored, type WorstInput } from './inputs.ts';

const route = 'POST /mcp';

/** A call of a tool whose arguments are JSON text. */
const callText = (name: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;

const call = (name: string, given: (stored: Stored) => object) => (stored: Stored) =>
  callText(name, json(given(stored)));

const manyFields = (id: string) => ({ id, operation: 'stamp', fields: keys(600_000) });

/** The messages of agents that, as far as is known, cost the most. */
export const mcpInputs: WorstInput[] = [
  ...everyBody(route),
  ...[
    { name: '600,000 unknown arguments', body: call('render_document', () => keys(600_000)) },
    { name: '10 MB of brackets', body: () => callText('render_document', '['.repeat(9.9 * MB)) },
    {
      name: 'data of 600,000 keys',
      benchOnly: true,
      body: call('render_document', () => ({ html: '{{x}}', data: keys(600_000) })),
    },
    {
      name: 'html of 10 MB of escapes',
      benchOnly: true,
      body: () => callText('render_document', `{"html":"${'\\n'.repeat(4.9 * MB)}"}`),
    },
    { name: 'fields of 600,000 keys', body: call('run_pdf_operation', ({ file }) => manyFields(file)) },
    {
      name: 'a field of a million numbers',
      body: call('run_pdf_operation', ({ file }) => ({
        id: file,
        operation: 'split',
        fields: { ranges: Array.from({ length: 0.9 * MB }, () => 1) },
      })),
    },
    {
      name: '600,000 form fields',
      body: call('fill_form', ({ file }) => ({ id: file, fields: keys(600_000, 'x') })),
    },
    {
      name: '10 MB beside the arguments',
      body: () => json({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: keys(600_000) } }),
    },
    {
      name: '64 kB beside the arguments',
      body: () => json({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: keys(4_000) } }),
    },
    { name: 'html of 2 MB', body: call('get_template', ({ template }) => ({ id: template })) },
    { name: 'the longest list of templates', body: call('list_templates', () => ({ limit: 50 })) },
    { name: 'the longest list of documents', body: call('find_documents', () => ({ limit: 50 })) },
    {
      name: 'four large images of pages of text',
      body: call('look_at_pages', ({ generation }) => ({ id: generation, width: 1_600 })),
    },
    { name: 'the layout of 2,000 pages', body: call('check_layout', ({ file }) => ({ id: file })) },
    {
      name: 'the text of 20,000 lines',
      benchOnly: true,
      body: call('run_pdf_operation', ({ generation }) => ({ id: generation, operation: 'text' })),
    },
    { name: 'all options', body: call('describe_operation', () => ({ operation: 'render_document' })) },
  ].map((input) => ({ route, ...input })),
];
