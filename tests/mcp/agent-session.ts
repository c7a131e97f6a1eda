import type { Client } from '@modelcontextprotocol/client';

const HEAD = `<style>
  body { font-family: Inter; font-size: 11pt }
  table { border-collapse: collapse; text-align: left }
  td, th { padding: 6px 12px; border-bottom: 1px solid #ccc }
</style>`;
const BODY = `<h1>Invoice {{number}}</h1>
<p>{{customer.name}}</p>
<table>
  <tr><th>Item</th><th>Quantity</th><th>Price</th></tr>
  {{#each items}}
  <tr><td>{{name}}</td><td>{{quantity}}</td><td>{{price}}</td></tr>
  {{/each}}
</table>`;

/** The HTML that the agent writes from the description. Its table is wider than A4. */
export const FIRST_DRAFT = `${HEAD.replace('text-align', 'width: 960px; text-align')}\n${BODY}`;
/** The HTML after the agent has read the findings. */
export const CORRECTED = `${HEAD.replace('text-align', 'width: 100%; text-align')}\n${BODY}`;

const DATA = {
  number: '42',
  customer: { name: 'Ada' },
  items: [{ name: 'Loom', quantity: 1, price: '900' }],
};

/** The result of a tool. */
interface Called {
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary results
  answer: any;
  isError: boolean;
  /** The images as bytes. */
  images: Buffer[];
}

/** Calls a tool and reads its result. */
export async function callTool(
  client: Pick<Client, 'callTool'>,
  name: string,
  given: Record<string, unknown> = {},
): Promise<Called> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []));
  const images = content.flatMap((part) => (part.type === 'image' ? Buffer.from(part.data, 'base64') : []));
  return { text: texts.join('\n'), answer: structuredContent, isError: isError === true, images };
}

/**
 * Makes an invoice template as an agent does: stores it, renders it, looks at it, checks its layout, corrects
 * it, and stores the correction as a draft. Returns all calls with their results, and the transcript for
 * `docs/agents.md`, in which ids and links are shortened.
 */
export async function makeInvoiceTemplate(client: Pick<Client, 'callTool'>) {
  const lines: string[] = [];
  const calls: Called[] = [];
  const use = async (name: string, given: Record<string, unknown>, shown: readonly string[]) => {
    const called = await callTool(client, name, given);
    calls.push(called);
    lines.push(name, ...Object.entries(given).flatMap(([field, value]) => writeField(field, value)));
    if (called.isError) lines.push(`=> error: ${called.text}`);
    else for (const field of shown) lines.push(...writeField(`=> ${field}`, called.answer[field], ''));
    lines.push(...called.images.map(() => '=> (a PNG image)'), '');
    return called;
  };
  const saved = await use('save_template', { name: 'Invoice', category: 'invoice', html: FIRST_DRAFT }, [
    'id',
    'version',
    'saved',
  ]);
  const { id } = saved.answer;
  await use('render_document', { template: id, data: { number: DATA.number } }, []);
  const first = await use('render_document', { template: id, data: DATA }, ['id', 'pages']);
  await use('look_at_pages', { id: first.answer.id, width: 600 }, ['pages', 'shown']);
  await use('check_layout', { id: first.answer.id }, ['ok', 'findings']);
  await use('save_template', { id, html: CORRECTED, sample_data: DATA }, [
    'id',
    'version',
    'current_version',
    'saved',
  ]);
  const second = await use('render_document', { template: id, template_version: 'draft', data: DATA }, [
    'id',
    'pages',
    'warnings',
  ]);
  await use('check_layout', { id: second.answer.id }, ['ok', 'findings']);
  return { calls, id: String(id), transcript: shorten(lines.join('\n').trim()) };
}

/** Writes an argument or a field of a result: texts of several lines and findings on lines of their own. */
function writeField(field: string, value: unknown, indent = '  '): string[] {
  const block = (texts: readonly string[]) => [`${indent}${field}:`, ...texts.map((text) => `    ${text}`)];
  if (typeof value === 'string' && value.includes('\n')) return block(value.split('\n'));
  const findings = Array.isArray(value) ? (value as { code?: string; message?: string }[]) : [];
  if (findings.length > 0 && findings.every(({ code }) => code !== undefined))
    return block(findings.map(({ code, message }) => `${code}: ${message}`));
  return [`${indent}${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
}

/** Replaces what differs in each run. */
function shorten(text: string): string {
  const known = new Map<string, string>();
  return text.replaceAll(/(?<prefix>gen|tmpl)_[0-9A-Za-z]{24}/g, (id, prefix: string) => {
    const number = [...known.keys()].filter((each) => each.startsWith(prefix)).length + 1;
    const short = known.get(id) ?? `${prefix}_…${number}`;
    known.set(id, short);
    return short;
  });
}
