import { compileTemplate, type Result } from '@platen/templates';

/** Long names are shortened afterwards. */
const MAX_NAME_BYTES = 10_000;
const NEWLINE = 0x0a;

/**
 * Renders a template for each item. `lines` has the data of an item per line, as JSON. The name of an item
 * for which the template fails is `null`.
 */
export function renderNames({ template, lines }: { template: string; lines: Uint8Array }): (string | null)[] {
  return dataOf(lines).map((data) => {
    const name = render(template, data);
    return name.ok ? name.value : null;
  });
}

/** Renders the name of one item. A failure is `TEMPLATE_ERROR` with line and column. */
export function renderName({ template, data }: { template: string; data: Uint8Array }): Result<string> {
  return render(template, JSON.parse(Buffer.from(data).toString()));
}

function render(source: string, data: unknown): Result<string> {
  const result = compileTemplate({ source, data, writeValue, maxOutputBytes: MAX_NAME_BYTES });
  return result.ok ? { ok: true, value: result.value.html } : result;
}

/** Writes a value as text, which is not escaped as HTML. */
function writeValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

function dataOf(lines: Uint8Array): unknown[] {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  const found: unknown[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    found.push(JSON.parse(bytes.toString('utf8', start, end)));
    start = end + 1;
  }
  return found;
}
