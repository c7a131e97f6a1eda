import { compileTemplate } from '../templates.ts';

/** Renders a template. Returns the HTML, or the message of the failure. */
export function render(source: string, data: unknown = {}): string {
  const result = compileTemplate({ source, data });
  return result.ok ? result.value.html : result.message;
}
