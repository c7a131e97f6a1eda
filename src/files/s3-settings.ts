/** The location of a bucket and the credentials for it. */
export interface S3Settings {
  /** Scheme, host and port. The bucket is the first segment of the path. */
  endpoint: string;
  /**
   * The endpoint in links, if callers use a different one. Signatures cover the host, so it cannot be
   * replaced later. Default: `endpoint`.
   */
  publicEndpoint?: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The prefix of every object key, which allows several services to share a bucket. Default: none. */
  prefix?: string;
}
