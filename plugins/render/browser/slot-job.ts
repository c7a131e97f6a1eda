import type { PageAccessibility } from '../accessibility/page/check-document.ts';
import type { PageAssets } from '../assets/page-assets.ts';
import type { Deadline } from '../deadline.ts';
import type { ImageSetup } from '../image/image-setup.ts';
import type { LargePdfMemory } from '../large-pdf.ts';
import type { SiteDocument } from '../page/site.ts';
import type { SectionPages } from '../paged/page/sections.ts';
import type { PagedFeatures } from '../paged/paged-media.ts';
import type { PrintSetup } from '../print/print-options.ts';
import type { UrlDocument } from '../url/url-source.ts';

/** A document to print on a slot. */
export interface SlotJob {
  /** HTML, or a web page, or HTML with files, which an active slot loads. */
  document: string | UrlDocument | SiteDocument;
  setup: PrintSetup;
  /** True for HTML without images, fonts and other assets, so that the page has nothing to wait for. */
  hasNoAssets?: boolean | undefined;
  /** The features of paged media that the HTML uses. */
  paged?: PagedFeatures | undefined;
  deadline: Deadline;
  /** Memory for a large PDF; without it, a large PDF fails. */
  memory: LargePdfMemory | undefined;
  /** The assets that the document may load. */
  assets?: PageAssets | undefined;
}

/** A document to capture as an image on a slot of the active class. */
export interface CaptureJob extends Pick<SlotJob, 'document' | 'setup' | 'deadline' | 'assets'> {
  image: ImageSetup;
  memory: LargePdfMemory;
}

/** A document whose markup is read on a slot of the active class. */
export type MarkupJob = Pick<SlotJob, 'document' | 'setup' | 'deadline' | 'assets'>;

/**
 * The result of printing: the PDF, or `needs network` when a document on a plain page requested a resource.
 * `total` is the number of pages of the whole document, set when only some are printed and the header needs
 * it (see `needsTotal`). `sections` are the pages of the sections of a document. `unknownSizes` are the sizes
 * of `@page` rules that the browser ignores. `accessibility` is the result of checking a document that is
 * printed with tags.
 */
export type SlotResult =
  | {
      pdf: Buffer;
      total?: number | undefined;
      sections?: readonly SectionPages[] | undefined;
      unknownSizes?: readonly string[] | undefined;
      accessibility?: PageAccessibility | undefined;
    }
  | 'needs network';
