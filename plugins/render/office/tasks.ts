import { fillOfficeTemplate, type Filled, type OfficeResult } from '@platen/office-templates';

// The functions in this file run in the sandbox.

/** The file of a template, the text of a JSON object, and the assets that its tags name. */
interface FillTask {
  file: Uint8Array;
  data: Uint8Array;
  assets: ReadonlyMap<string, Uint8Array | null>;
}

/** Fills a template; see `fillOfficeTemplate`. */
export function fillFile({ file, data, assets }: FillTask): OfficeResult<Filled> {
  return fillOfficeTemplate({ file, data: JSON.parse(new TextDecoder().decode(data)), assets });
}
