import type { PagedFeature } from './feature.ts';
import { references } from './references.ts';
import { runningStrings } from './running-strings.ts';
import { signatureFields } from './signature-fields.ts';

/**
 * The features of paged media, in the order in which they prepare a document. References come last, because
 * they estimate the page numbers of the prepared document.
 */
export const PAGED_FEATURES: readonly PagedFeature[] = [runningStrings, signatureFields, references];
