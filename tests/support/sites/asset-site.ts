import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../../../plugins/render/browser/find-chromium.mjs';
import { listen } from './listen.ts';

/** A server on loopback whose responses depend on the first part of the path, such as `/404-html/img`. */
export interface AssetSite {
  http: string;
  https: string;
  /** Has a certificate that the browser does not trust. */
  untrusted: string;
  /** A host and port that refuse connections. */
  unreachable: string;
  /** The settings with which a service reaches the site and trusts its certificate. */
  env: Record<string, string>;
}

/**
 * An HTML page as servers send it with an error. Browsers recognise it as HTML whatever its declared type.
 */
const PAGE = '<!doctype html><html><head><title>Not here</title></head><body>Not here</body></html>';

/**
 * Starts the site. It ends with the process. Its certificates are valid for 100 years, made with
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=127.0.0.1
 * -addext subjectAltName=IP:127.0.0.1`.
 */
export async function startAssetSite(): Promise<AssetSite> {
  const trusted = readFileSync(new URL('../../fixtures/tls/trusted.pem', import.meta.url), 'utf8');
  const untrusted = readFileSync(new URL('../../fixtures/tls/untrusted.pem', import.meta.url), 'utf8');
  const closed = createTcpServer();
  const [http, https, foreign, unreachable] = await Promise.all([
    listen(createServer(respond)),
    listen(createTlsServer({ key: trusted, cert: trusted }, respond)),
    listen(createTlsServer({ key: untrusted, cert: untrusted }, respond)),
    listen(closed),
  ]);
  closed.close();
  return {
    http: `http://${http}`,
    https: `https://${https}`,
    untrusted: `https://${foreign}`,
    unreachable,
    env: {
      EGRESS_ALLOW: [http, https, foreign, unreachable].join(),
      CHROMIUM_PATH: browserThatTrusts(trusted),
    },
  };
}

const respond: RequestListener = ({ url = '/' }, response) => {
  const [, condition = ''] = url.split('/');
  const [status, content] = condition.split('-');
  if (condition === 'silent') return;
  if (condition === 'stalled') return void response.writeHead(200, { 'content-length': '1000' }).write('x');
  if (condition === 'cut') return cut(response);
  // The egress guard uses this header in its own responses.
  if (condition === 'forged') return void response.writeHead(404, { 'x-platen-egress': 'refused' }).end();
  if (condition === 'long')
    return void response.writeHead(404, { 'content-type': `text/${'x'.repeat(10_000)}` }).end(PAGE);
  if (condition === 'huge')
    return void response
      .writeHead(404, { 'content-type': 'text/html', 'x-huge': 'x'.repeat(150_000) })
      .end(PAGE);
  if (condition === 'private') return keepPrivate(response);
  if (condition === 'loop') return redirect(response, url);
  if (condition.startsWith('moved-')) return redirect(response, url.replace('moved-', ''));
  response.statusCode = Number(status);
  if (content === 'empty') return void response.setHeader('content-length', 0).end();
  if (content === 'html') response.setHeader('content-type', 'text/html; charset=utf-8');
  if (content === 'json') response.setHeader('content-type', 'application/json');
  response.end(content === 'json' ? '{"error":"not here"}' : PAGE);
};

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, 'content-type': 'text/html' }).end(PAGE);
}

/** Closes the connection within the body. */
function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1000' });
  response.write('x', () => response.destroy());
}

/** Forbids documents of other origins to use the response. */
function keepPrivate(response: ServerResponse): void {
  const headers = { 'cross-origin-resource-policy': 'same-origin', 'x-frame-options': 'DENY' };
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(PAGE);
}

/** Writes a program that starts Chromium with trust in a self-signed certificate. Returns its path. */
export function browserThatTrusts(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(key).digest('base64');
  const program = join(mkdtempSync(join(tmpdir(), 'platen-test-browser-')), 'chromium');
  const chromium = process.env['CHROMIUM_PATH'] ?? findChromium();
  const script = `#!/bin/sh\nexec "${chromium}" "$@" --ignore-certificate-errors-spki-list=${hash}\n`;
  writeFileSync(program, script, { mode: 0o755 });
  return program;
}
