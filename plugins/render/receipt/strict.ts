import type { ErrorDetail } from '../../../src/plugin.ts';
import { isAtHost, type Requirements } from '../print/requirements.ts';
import { RenderError, type RenderFailure } from '../render-error.ts';
import { isMissing } from './missing-assets.ts';
import type { PageObservations, ReceiptDraft } from './receipt.ts';
import { describeFailedAsset, warningsOf, type Warning } from './warnings.ts';

/** A fault of a document. An empty path stands for the source of the document. */
type Fault = ErrorDetail & { code: RenderFailure };

/** The warnings that only `strict` turns into errors. Assets and scripts have their own requirements. */
const DATA_CODES: readonly Warning['code'][] = ['MISSING_VARIABLE', 'SCHEMA_MISMATCH', 'MISSING_GLYPHS'];

/** @throws {RenderError} with all faults of a document that its options do not allow. */
export function requireNoFaults(
  receipt: ReceiptDraft | undefined,
  requirements: Requirements | undefined,
): void {
  if (!receipt || !requirements) return;
  const { page } = receipt;
  const { assets, scripts, data } = requirements;
  const warnings = data ? warningsOf(receipt.soFar()).filter(({ code }) => DATA_CODES.includes(code)) : [];
  const failed = assets ? findFailedAssets(page.resources, assets) : [];
  const thrown = scripts ? page.exceptions.entries : [];
  const faults: Fault[] = [
    ...warnings.map(({ code, message, path }) => ({
      code: code as RenderFailure,
      message,
      path: path ?? '',
    })),
    ...failed.map((message) => ({ code: 'ASSET_FAILED' as const, message, path: '' })),
    ...thrown.map(({ message }) => ({
      code: 'SCRIPT_ERROR' as const,
      message: `a script failed: ${message}`,
      path: '',
    })),
  ];
  const [first] = faults;
  if (!first) return;
  const others = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  throw new RenderError(first.code, `${first.message}${others}`, { details: faults });
}

/** Describes the failed assets that are not on ignored hosts. */
function findFailedAssets(
  { entries, omitted }: PageObservations['resources'],
  { except }: NonNullable<Requirements['assets']>,
): string[] {
  const missing = entries.filter(isMissing);
  const failed = missing.filter(({ url }) => !isAtHost(url, except));
  if (failed.length > 0) return failed.map(describeFailedAsset);
  // Failed assets are listed first, so a full list of them may omit others.
  const mayOmit = omitted > 0 && missing.length > 0 && missing.length === entries.length;
  return mayOmit
    ? [`more than ${missing.length} assets failed, too many to tell whether all are on ignored hosts`]
    : [];
}
