import { compileTemplate, type Result } from '@platen/templates';
import { linesOf } from './item-lines.ts';

/** Long names are shortened afterwards. */
const MAX_NAME_BYTES = 10_000;

/**
 * Renders a template for each item. `lines` has the data of an item per line, as JSON. The name of an item
 * for which the template fails is `null`.
 */
export function renderNames({ template, lines }: { template: string; lines: Uint8Array }): (string | null)[] {
  return linesOf(lines).map((line) => {
    const name = render(template, JSON.parse(line.toString()));
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
