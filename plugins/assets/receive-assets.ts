import { AppError, decodeText, encodeText, explainTaskFailure, invalid } from '../../src/plugin.ts';
import type { Asset, AssetSharing, PublishedAsset } from './contract.ts';
import { MAX_ASSET_NAME_CHARACTERS } from './asset-size.ts';
import { readBytes, REFERENCE_FAILURES, REFERENCE_TIMEOUT_MS, type SharingParts } from './sharing-parts.ts';

/** The asset that stands for a published one in an account. */
interface Placement {
  copy: PublishedAsset;
  /** The name in the account. */
  to: string;
  /** Whether the account does not have the asset yet. */
  isNew: boolean;
}

export function createReceiver(parts: SharingParts): AssetSharing['receive'] {
  const { assets, publishedAssets, files, service, tasks } = parts;

  async function rename(
    text: Omit<Parameters<typeof tasks.renameReferences>[0], 'renames'>,
    placements: readonly Placement[],
  ): Promise<Awaited<ReturnType<typeof tasks.renameReferences>>> {
    const renames = placements
      .filter(({ copy, to }) => copy.name !== to)
      .map(({ copy, to }) => ({ from: copy.name, to }));
    return tasks
      .renameReferences({ ...text, renames }, { timeoutMs: REFERENCE_TIMEOUT_MS })
      .catch((error: unknown) => {
        throw explainTaskFailure(error, REFERENCE_FAILURES);
      });
  }

  /**
   * Stores the asset of a placement. A style sheet refers to the other assets by their names in the account.
   */
  async function add(
    accountId: string,
    { copy, to }: Placement,
    placements: readonly Placement[],
  ): Promise<Asset> {
    const { type, font } = copy;
    const stored = await readBytes(files, copy.fileId);
    const content = isAffected(copy, placements)
      ? (await rename({ kind: 'css', text: stored, json: [] }, placements)).text
      : stored;
    try {
      return await service.add(accountId, { name: to, type, font }, content);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'VALIDATION_ERROR')) throw error;
      throw invalid('id', `the assets of the template do not fit into the account: ${error.message}`);
    }
  }

  async function undo(added: readonly Asset[]): Promise<void> {
    for (const { accountId, name, fileId } of added) {
      const [asset] = await assets.find({ where: { accountId, name, fileId }, limit: 1 });
      if (asset) await service.remove(accountId, name);
    }
  }

  return async (accountId, templateId, texts) => {
    const copies = await publishedAssets.find({ where: { templateId }, order: { name: 'asc' } });
    if (copies.length === 0) return { texts, names: [], undo: async () => {} };
    return service.inTurn(accountId, async () => {
      const owned = await assets.find({ where: { accountId } });
      const placements = await place(parts, copies, owned);
      const added: Asset[] = [];
      try {
        for (const placement of placements)
          if (placement.isNew) added.push(await add(accountId, placement, placements));
        const isRenamed = placements.some(({ copy, to }) => copy.name !== to);
        const text = isRenamed ? await encodeText(texts.html) : undefined;
        const renamed = text && (await rename({ kind: 'template', text, json: texts.json }, placements));
        return {
          texts: renamed ? { html: await decodeText(renamed.text), json: renamed.json } : texts,
          names: [...new Set(placements.map(({ to }) => to))].toSorted(),
          undo: () => undo(added),
        };
      } catch (error) {
        await undo(added);
        throw error;
      }
    });
  };
}

/** Decides under which names an account has or receives the published assets of a template. */
async function place(
  { files }: SharingParts,
  copies: readonly PublishedAsset[],
  owned: readonly Asset[],
): Promise<Placement[]> {
  const byName = new Map(owned.map((asset) => [asset.name, asset]));
  const reserved = new Set([...byName.keys(), ...copies.map(({ name }) => name)]);

  async function hasSameBytes(copy: PublishedAsset, asset: Asset): Promise<boolean> {
    if (asset.sizeBytes !== copy.sizeBytes || asset.type !== copy.type) return false;
    return Buffer.from(await readBytes(files, asset.fileId)).equals(await readBytes(files, copy.fileId));
  }

  function placeNew(copy: PublishedAsset): Placement {
    const to = byName.has(copy.name) ? freeName(copy.name, (name) => !reserved.has(name)) : copy.name;
    reserved.add(to);
    return { copy, to, isNew: true };
  }

  async function placeOne(copy: PublishedAsset): Promise<Placement> {
    const sameFace = owned.filter((asset) => isSameFace(asset, copy));
    const face = sameFace.find(({ name }) => name === copy.name) ?? sameFace[0];
    if (face) return { copy, to: face.name, isNew: false };
    const existing = byName.get(copy.name);
    if (!existing) return placeNew(copy);
    if (!copy.font && (await hasSameBytes(copy, existing))) return { copy, to: copy.name, isNew: false };
    // A clone that was made earlier may have received the same asset under a free name.
    const isFree = (name: string) => !copies.some((other) => other.name === name);
    for (let number = 2; copy.type !== 'css'; number += 1) {
      const name = numberedName(copy.name, number);
      const numbered = byName.get(name);
      if (!numbered) break;
      if (isFree(name) && !copy.font && (await hasSameBytes(copy, numbered)))
        return { copy, to: name, isNew: false };
    }
    return placeNew(copy);
  }

  const placements: Placement[] = [];
  for (const copy of copies) placements.push(await placeOne(copy));
  // A style sheet that refers to renamed assets has other bytes than the asset of the account, so it needs
  // another name too.
  for (;;) {
    const index = placements.findIndex(({ copy, isNew }) => !isNew && isAffected(copy, placements));
    const placement = placements[index];
    if (!placement) return placements;
    placements[index] = placeNew(placement.copy);
  }
}

/** Tells whether a style sheet refers to an asset that has another name in the account. */
function isAffected({ refersTo }: PublishedAsset, placements: readonly Placement[]): boolean {
  return placements.some(({ copy, to }) => copy.name !== to && refersTo.includes(copy.name));
}

function isSameFace({ font }: Asset, { font: other }: PublishedAsset): boolean {
  return (
    font !== null &&
    other !== null &&
    font.family.toLowerCase() === other.family.toLowerCase() &&
    font.weight === other.weight &&
    font.style === other.style
  );
}

/** Returns the first of `logo-2.png`, `logo-3.png` … that is free. */
function freeName(name: string, isFree: (name: string) => boolean): string {
  for (let number = 2; ; number += 1) {
    const numbered = numberedName(name, number);
    if (isFree(numbered)) return numbered;
  }
}

function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const end = `-${number}${extension}`;
  // Do not split a surrogate pair.
  const kept = stem.slice(0, MAX_ASSET_NAME_CHARACTERS - end.length).replace(/[\uD800-\uDBFF]$/, '');
  return kept + end;
}
