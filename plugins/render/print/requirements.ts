import { invalid } from '../../../src/plugin.ts';
import type { GenerateOptions } from '../../documents/contract.ts';

/** The faults that fail a document. */
export interface Requirements {
  /** A script that throws. */
  scripts: boolean;
  /** Data that the template lacks or that does not fit its schema, and characters without a glyph. */
  data: boolean;
  /** An asset that does not load, except from these hosts; `undefined` when no asset fails the document. */
  assets: { except: readonly AssetHost[] } | undefined;
}

/** The host of an asset, with one port or with any port. */
export interface AssetHost {
  hostname: string;
  port: string | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Reads which faults fail a document; `undefined` if none do. @throws {AppError} VALIDATION_ERROR */
export function readRequirements({
  strict = false,
  onAssetError = strict ? 'fail' : 'ignore',
  ignoreAssetHosts = [],
}: GenerateOptions): Requirements | undefined {
  if (onAssetError === 'ignore' && ignoreAssetHosts.length > 0)
    throw invalid('options.ignoreAssetHosts', 'is only for onAssetError "fail" and for strict');
  const except = ignoreAssetHosts.map((host, index) => readHost(`options.ignoreAssetHosts[${index}]`, host));
  const assets = onAssetError === 'fail' ? { except } : undefined;
  return assets || strict ? { scripts: strict, data: strict, assets } : undefined;
}

export function isAtHost(url: string, hosts: readonly AssetHost[]): boolean {
  if (hosts.length === 0) return false;
  const parsed = URL.parse(url);
  if (!parsed) return false;
  const urlPort = parsed.port || DEFAULT_PORTS[parsed.protocol];
  return hosts.some(
    ({ hostname, port }) => hostname === parsed.hostname && (port === undefined || port === urlPort),
  );
}

function readHost(path: string, text: string): AssetHost {
  const hostname = /^[^\s/?#@\\*%]{1,260}$/.test(text) ? URL.parse(`http://${text}/`)?.hostname : undefined;
  if (!hostname)
    throw invalid(path, 'must be a host or host:port, such as "cdn.example.com", without a scheme');
  const [, port] = /:(\d{1,5})$/.exec(text) ?? [];
  return { hostname, port: port === undefined ? undefined : String(Number(port)) };
}
