import { fillOfficeTemplate, type FillInput } from '../index.ts';
import { partsOf } from './make-file.ts';

/** A pixel. */
export const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Fills a file and reads its parts. */
export function filled(file: Uint8Array, data: unknown, assets?: FillInput['assets']) {
  const result = fillOfficeTemplate({ file, data, ...(assets && { assets }) });
  if (!result.ok) throw new Error(result.message);
  if (result.value.needs) throw new Error(`needs ${result.value.needs.join(', ')}`);
  return { ...result.value, parts: partsOf(result.value.file) };
}

/** Returns the fault of a file. */
export function fault(file: Uint8Array, data: unknown = {}): string {
  const result = fillOfficeTemplate({ file, data });
  return result.ok ? 'no fault' : `${result.subject}: ${result.message}`;
}

/** Returns the texts of the paragraphs of a document, each on a line. */
export function linesOf(xml: string | undefined): string[] {
  return (xml ?? '')
    .replace(/^<\?xml[^>]*>\n/, '')
    .split(/<\/(?:w|a):p>|<(?:w|a):p\/>/)
    .slice(0, -1)
    .map((text) =>
      text
        .replaceAll(/<(?:w|a):br\/?>/g, '|')
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    );
}

/** Returns the values of the cells of a sheet by their references; formulas begin with `=`. */
export function cellsOf(xml: string | undefined): Record<string, string> {
  return Object.fromEntries(
    [...(xml ?? '').matchAll(/<c r="([A-Z]+\d+)"([^>]*?)(?:\/>|>(.*?)<\/c>)/g)].map(
      ([, at = '', attributes = '', content = '']) => {
        const type = /t="(\w+)"/.exec(attributes)?.[1] ?? 'n';
        const formula = /<f[^>]*>(.*?)<\/f>/.exec(content)?.[1];
        const text = content.replaceAll(/<[^>]*>/g, '');
        return [at, formula === undefined ? (text === '' ? '' : `${type}:${text}`) : `=${formula}`];
      },
    ),
  );
}
