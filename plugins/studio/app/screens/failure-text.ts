import { capitalise } from '../data/format.ts';

/** Returns the reason of a failed generation without the code that begins it, such as `ASSET_FAILED: `. */
export function failureText(error: string): string {
  const [, code = '', rest = error] = /^([A-Z_]+): (.+)$/s.exec(error) ?? [];
  return code === 'ASSET_FAILED' ? `A resource could not be loaded: ${rest}` : capitalise(rest);
}
