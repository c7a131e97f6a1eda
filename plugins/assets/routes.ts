import {
  AppError,
  invalid,
  isRawFile,
  jsonOrMultipart,
  LINK_LIFETIME_MS,
  type FileStore,
  type Routes,
  type Static,
  presentPage,
} from '../../src/plugin.ts';
import type { Asset } from './contract.ts';
import { assetExample, fontExample, uploadExamples } from './examples.ts';
import { presentAsset } from './present.ts';
import { AssetAnswer, AssetList, AssetQuery, UploadBody } from './schemas.ts';
import type { AssetsService, AssetUpload } from './service.ts';

/** An asset of 5 MB in base64, with escaped line breaks. */
const MAX_BODY_BYTES = 8_000_000;

/** Mounts the routes of assets. */
export function mountRoutes(
  routes: Routes,
  { service, files }: { service: AssetsService; files: Pick<FileStore, 'link'> },
): void {
  const present = async (asset: Asset): Promise<AssetAnswer> => {
    const expiresAt = Date.now() + LINK_LIFETIME_MS;
    const url = await files.link(asset.fileId, { expiresAt, fileName: asset.name });
    return { ...presentAsset(asset), url };
  };

  routes.post(
    '/v1/assets',
    {
      summary: 'Upload an asset',
      operationId: 'uploadAsset',
      idempotency: 'kept',
      description:
        "Stores a font, an image or a style sheet for the account's documents, which refer to it as `asset:logo.png` in any URL. An uploaded font is also available by the name of its family. An asset of the same name is replaced.",
      body: jsonOrMultipart(UploadBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      examples: uploadExamples,
      response: { status: 201, schema: AssetAnswer, example: assetExample },
    },
    async ({ account, body }) => present(await service.save(account.id, readUpload(body))),
  );

  routes.get(
    '/v1/assets',
    {
      summary: 'List assets, newest first',
      operationId: 'listAssets',
      query: AssetQuery,
      response: { schema: AssetList, example: { data: [assetExample, fontExample], has_more: false } },
    },
    async ({ account, query: { limit, offset } }) => {
      return presentPage(limit, (count) => service.list(account.id, { limit: count, offset }), present);
    },
  );

  routes.get(
    '/v1/assets/:name',
    {
      summary: 'Read one asset',
      operationId: 'getAsset',
      response: { schema: AssetAnswer, example: assetExample },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => present(await service.get(account.id, params.name)),
  );

  routes.delete(
    '/v1/assets/:name',
    {
      summary: 'Delete one asset',
      operationId: 'deleteAsset',
      description: 'Deletes the record and the content. Links to the content stop working.',
      response: { status: 204 },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => {
      await service.remove(account.id, params.name);
      return new Response(null, { status: 204 });
    },
  );
}

function readUpload({ name, data, file, ...font }: Static<typeof UploadBody>): AssetUpload {
  if ((data === undefined) === (file === undefined)) {
    const message = data === undefined ? 'one of file and data is required' : 'send file or data, not both';
    throw new AppError('VALIDATION_ERROR', message, {
      details: ['file', 'data'].map((path) => ({ path, message })),
    });
  }
  const content = data ?? file ?? '';
  const fileName = isRawFile(content) ? content.fileName : undefined;
  const given = name ?? fileName;
  if (given === undefined) throw invalid('name', 'is required');
  return { ...font, name: given, file: content, field: data === undefined ? 'file' : 'data' };
}
