import { mergeOptions } from '../documents/option-values.ts';
import type { DocumentInput } from '../documents/read-document.ts';
import { isFolder, readJsonObject } from '../documents/read-file.ts';
import { templateFileIn } from '../documents/template-folder.ts';
import { requireTemplates, type LocalTemplate } from './folder.ts';

/** A template folder with an office file, which a service fills once it has stored the file. */
export interface OfficeTemplate {
  local: LocalTemplate;
  /** The fields of `POST /v1/generate`, except for the template. */
  request: { data: object; options?: object };
}

/**
 * Reads the folder of a template that is an office file; `undefined` for every other document.
 * @throws {UsageError} for a file that is missing or invalid
 */
export function readOfficeTemplate({ path, data, options }: DocumentInput): OfficeTemplate | undefined {
  if (path === '-' || !isFolder(path) || templateFileIn(path)?.kind !== 'office') return undefined;
  const [local] = requireTemplates(path);
  if (!local) return undefined;
  const { sampleData, options: stored } = local.state;
  const merged = mergeOptions(stored ?? {}, options);
  return {
    local,
    request: {
      data: data === undefined ? sampleData : readJsonObject(data),
      ...(Object.keys(merged).length > 0 && { options: merged }),
    },
  };
}
