import {
  addRecordRoutes,
  AppError,
  invalid,
  isRawFile,
  jsonOrMultipart,
  LINK_LIFETIME_MS,
  type FileStore,
  type Routes,
  type Static,
} from '../../src/plugin.ts';
import type { Asset } from './contract.ts';
import { assetExample, fontExample, uploadExamples } from './examples.ts';
import { presentAsset } from './present.ts';
import { AssetResponse, AssetList, AssetQuery, UploadBody } from './schemas.ts';
import type { AssetsService, AssetUpload } from './service.ts';

/** An asset of 5 MB in base64, with escaped line breaks. */
const MAX_BODY_BYTES = 8_000_000;

export function mountRoutes(
  routes: Routes,
  { service, files }: { service: AssetsService; files: Pick<FileStore, 'link'> },
): void {
  const present = async (asset: Asset): Promise<AssetResponse> => {
    const expiresAt = Date.now() + LINK_LIFETIME_MS;
    const url = await files.link(asset.fileId, { expiresAt, fileName: asset.name });
    return { ...presentAsset(asset), url };
  };

  routes.post(
    '/v1/assets',
    {
      scope: 'assets',
      audit: 'asset.saved',
      summary: 'Upload an asset',
      operationId: 'uploadAsset',
      idempotency: 'kept',
      description:
        "Stores a font, an image or a style sheet for the account's documents, which refer to it as `asset:logo.png` in any URL. An uploaded font is also available by the name of its family. An asset of the same name is replaced.",
      body: jsonOrMultipart(UploadBody),
      maxBodyBytes: MAX_BODY_BYTES,
      worksOnDocument: true,
      examples: uploadExamples,
      response: { status: 201, schema: AssetResponse, example: assetExample },
    },
    async ({ account, body }) => present(await service.save(account.id, readUpload(body))),
  );

  addRecordRoutes(routes, {
    path: '/v1/assets',
    scope: 'assets',
    parameter: 'name',
    noun: { one: 'asset', many: 'assets' },
    records: service,
    list: {
      query: AssetQuery,
      schema: AssetList,
      examples: [assetExample, fontExample],
      present,
    },
    get: { schema: AssetResponse, example: assetExample, present },
    remove: {
      audit: 'asset.deleted',
      description: 'Deletes the record and the content. Links to the content stop working.',
      run: (accountId, id) => service.remove(accountId, id),
    },
  });
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
