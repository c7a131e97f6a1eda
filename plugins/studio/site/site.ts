import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extname, join } from 'node:path';
import { newId } from '../../../src/plugin.ts';

/** The folder of the bundled application, which the set-up writes. */
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

/** The placeholder in index.html for the nonce of the style sheets that scripts add. */
const NONCE = '__CSP_NONCE__';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

const COMPRESSIBLE = new Set(['.js', '.css', '.map', '.json', '.svg']);

/** The bundled application. */
export interface Site {
  /** Returns the page, which is the same for all views. */
  page(): Response;
  /**
   * Returns the file with a name, or `null`. Browsers cache it for a year, because its name contains a hash
   * of its content.
   */
  asset(name: string, acceptEncoding: string | null): Promise<Response | null>;
}

interface Asset {
  path: string;
  type: string;
  plain?: Uint8Array<ArrayBuffer>;
  compressed?: Uint8Array<ArrayBuffer>;
}

/**
 * Opens the bundled application. Returns `null` if it was not bundled. Files that are added later are not
 * served.
 */
export async function openSite(folder = DIST): Promise<Site | null> {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return null;
  const html = await Bun.file(index).text();
  const assets = new Map<string, Asset>();
  const assetsFolder = join(folder, 'assets');
  for (const name of existsSync(assetsFolder) ? readdirSync(assetsFolder) : []) {
    const type = MEDIA_TYPES[extname(name)];
    if (type !== undefined) assets.set(name, { path: join(assetsFolder, name), type });
  }
  return {
    page() {
      const nonce = newId('', 22);
      return new Response(html.replaceAll(NONCE, nonce), {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          // Each response has its own nonce.
          'cache-control': 'no-store',
          'content-security-policy': policy(nonce),
          'cross-origin-opener-policy': 'same-origin',
          'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
        },
      });
    },
    async asset(name, acceptEncoding) {
      const asset = assets.get(name);
      if (!asset) return null;
      asset.plain ??= await Bun.file(asset.path).bytes();
      const headers = new Headers({
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
      });
      if (!COMPRESSIBLE.has(extname(name))) return new Response(asset.plain, { headers });
      headers.set('vary', 'accept-encoding');
      if (!acceptsGzip(acceptEncoding)) return new Response(asset.plain, { headers });
      asset.compressed ??= Bun.gzipSync(asset.plain, { level: 9 });
      headers.set('content-encoding', 'gzip');
      return new Response(asset.compressed, { headers });
    },
  };
}

function acceptsGzip(acceptEncoding: string | null): boolean {
  return (acceptEncoding ?? '').split(',').some((entry) => {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((parameter) => /^q=0(?:\.0+)?$/.test(parameter));
  });
}

/**
 * Returns the content security policy of the page. It allows scripts from this service but no inline scripts,
 * and the editor's style sheets with the nonce.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    'frame-src blob:',
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
