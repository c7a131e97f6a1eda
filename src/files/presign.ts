import { AwsV4Signer } from 'aws4fetch';
import { S3Client } from 'bun';
import type { S3Settings } from './s3-settings.ts';

/**
 * Creates a function that signs links to objects (Signature Version 4). `query` contains the lifetime and the
 * headers of the response. `S3Client.presign` fails when the encoded Content-Disposition exceeds 512 bytes,
 * such as for a file name of 30 Chinese characters.
 */
export function createPresigner({
  endpoint,
  bucket,
  region,
  accessKeyId,
  secretAccessKey,
}: Omit<S3Settings, 'publicEndpoint'>): (
  key: string,
  query: Readonly<Record<string, string>>,
) => Promise<string> {
  const credentials = { accessKeyId, secretAccessKey };
  // Bun reads the token of temporary credentials from the environment.
  const example = new S3Client({ ...credentials, endpoint, bucket, region }).presign('key');
  const sessionToken = new URL(example).searchParams.get('X-Amz-Security-Token');
  // Caches the signing key, which changes every day.
  const cache = new Map<string, ArrayBuffer>();
  return async (key, query) => {
    const path = `${bucket}/${key}`.split('/').map(encodeURIComponent).join('/');
    const signer = new AwsV4Signer({
      ...credentials,
      ...(sessionToken !== null && { sessionToken }),
      url: `${endpoint}/${path}?${new URLSearchParams(query).toString()}`,
      service: 's3',
      region,
      signQuery: true,
      cache,
    });
    const { url } = await signer.sign();
    // Every server decodes `%20` as a space.
    return url.href.replaceAll('+', '%20');
  };
}
