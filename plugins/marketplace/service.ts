import { AppError, invalid } from '../../src/plugin.ts';
import { MAX_TEMPLATE_CHARACTERS } from '../documents/exports.ts';
import type { AssetSource, PublishedAssets } from '../assets/contract.ts';
import type { Template, TemplatesService } from '../templates/contract.ts';
import { nameCopy } from './copy-name.ts';

/** A template that was published or unpublished. */
export interface Visibility {
  template: Template;
  /** The assets that were published with it. */
  assets?: PublishedAssets | undefined;
}

/** A copy of a public template. */
export interface Clone {
  template: Template;
  /** The names of its assets in the account. */
  assets: readonly string[];
}

export interface MarketplaceService {
  /**
   * Makes a template public, with copies of its assets.
   * @throws {AppError} NOT_FOUND, or VALIDATION_ERROR when the assets exceed a limit.
   */
  publish(accountId: string, id: string): Promise<Visibility>;
  /**
   * Makes a template private, and deletes the published copies of its assets. @throws {AppError} NOT_FOUND
   */
  unpublish(accountId: string, id: string): Promise<Visibility>;
  /** Returns a template that is already private; `undefined` if it is public. @throws {AppError} NOT_FOUND */
  findPrivate(accountId: string, id: string): Promise<Visibility | undefined>;
  /**
   * Copies a public template with its assets into an account.
   * @throws {AppError} NOT_FOUND, or VALIDATION_ERROR when it does not fit.
   */
  clone(accountId: string, id: string): Promise<Clone>;
  /** Deletes the published assets of templates that are no longer public. */
  deleteStaleAssets(): Promise<void>;
}

/**
 * Creates the service of the marketplace. Without the plugin `assets`, templates are shared without assets.
 */
export function createMarketplaceService({
  templates,
  assets,
}: {
  templates: TemplatesService;
  assets: AssetSource | undefined;
}): MarketplaceService {
  const sharing = assets?.sharing;

  return {
    async publish(accountId, id) {
      const template = await templates.get(accountId, id);
      const { id: templateId, optionsJson = null, sampleDataJson = null } = template;
      // The assets come first, so that a public template always has them.
      const published = await sharing?.publish(
        { accountId, templateId },
        { html: await templates.inlinePartials(template), json: [optionsJson, sampleDataJson] },
      );
      return { template: await templates.setPublic(accountId, templateId, true), assets: published };
    },
    async unpublish(accountId, id) {
      const template = await templates.setPublic(accountId, id, false);
      await sharing?.unpublish(template.id);
      return { template };
    },
    async findPrivate(accountId, id) {
      const template = await templates.get(accountId, id);
      return template.isPublic ? undefined : { template };
    },
    async clone(accountId, id) {
      const template = await templates.getPublic(id);
      const { name, schema, category, optionsJson = null, sampleDataJson = null } = template;
      const { translationsJson = null } = template;
      const texts = { html: await templates.inlinePartials(template), json: [optionsJson, sampleDataJson] };
      requireSize(texts.html);
      const received = await sharing?.receive(accountId, id, texts);
      const { html, json } = received?.texts ?? texts;
      try {
        requireSize(html);
        const usage = { optionsJson: json[0] ?? null, sampleDataJson: json[1] ?? null, translationsJson };
        const file = await templates.copyFile(template);
        const input = { name: nameCopy(name), html, ...(file && { file }), schema, category, ...usage };
        return { template: await templates.create(accountId, input), assets: received?.names ?? [] };
      } catch (error) {
        await received?.undo();
        throw error;
      }
    },
    async deleteStaleAssets() {
      await sharing?.deleteStale(async (id) => {
        try {
          await templates.getPublic(id);
          return true;
        } catch (error) {
          if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
          throw error;
        }
      });
    },
  };
}

function requireSize(html: string): void {
  if (html.length > MAX_TEMPLATE_CHARACTERS)
    throw invalid('id', `the template and its partials have more than ${MAX_TEMPLATE_CHARACTERS} characters`);
}
