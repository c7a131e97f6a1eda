import { describe, expect, test } from 'bun:test';
import { sendRaw } from '../../support/service/raw-http.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { onMongoAndS3, TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { until } from '../../support/until.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';
import { isThorough } from '../../support/suite.ts';

const receiver = new Receiver();
const service = sharedService({ env: { EGRESS_ALLOW: receiver.host } });
const behindProxies = sharedService({ env: { TRUST_PROXY: '2' } });

/** Generates a PDF with a request that has the given headers, and returns the origin of its link. */
async function originOfLink(from: TestService, headers: Record<string, string>, extra = {}): Promise<string> {
  const { status, body } = await from.request('POST', '/v1/generate', {
    body: { html: 'x', ...extra },
    headers,
  });
  expect(status).toBe(200);
  return new URL(body.url).origin;
}

// On S3, links lead to the bucket.
describe.skipIf(onMongoAndS3)('the origin of links', () => {
  test('is the host of the request, and the link works', async () => {
    expect(await originOfLink(service(), {})).toBe(service().url);
    const port = new URL(service().url).port;
    const { body } = await service().request('POST', '/v1/generate', {
      body: { html: 'x' },
      headers: { host: `localhost:${port}` },
    });
    expect(body.url).toStartWith(`http://localhost:${port}/files/`);
    expect((await service().download(body.url)).length).toBe(body.file_size);
  });

  test('is the host of the request that reads the link, not of the request that created the PDF', async () => {
    const { body } = await service().request('POST', '/v1/generate', {
      body: { html: 'x' },
      headers: { host: 'attacker.example' },
    });
    expect(body.url).toStartWith('http://attacker.example/');
    const read = await service().get(`/v1/generations/${body.id}`);
    expect(read.body.url).toStartWith(`${service().url}/files/`);
    const { body: list } = await service().get('/v1/generations');
    expect(JSON.stringify(list)).not.toContain('attacker.example');
  });

  test('in a webhook is the host of the request that created the generation', async () => {
    const webhook = receiver.url('/hook');
    await originOfLink(service(), { host: 'pdf.internal:8080' }, { webhook });
    await until(() => receiver.at('/hook').length === 1);
    const message = JSON.parse(receiver.at('/hook')[0]?.body ?? '');
    expect(message.data.url).toStartWith('http://pdf.internal:8080/files/');
  });

  test('in the webhook of a request with async, too', async () => {
    const { status } = await service().request('POST', '/v1/generate', {
      body: { html: 'x', async: true, webhook: receiver.url('/async') },
      headers: { host: 'pdf.internal:8080' },
    });
    expect(status).toBe(202);
    await until(() => receiver.at('/async').length === 1);
    const message = JSON.parse(receiver.at('/async')[0]?.body ?? '');
    expect(message.data.url).toStartWith('http://pdf.internal:8080/files/');
  });

  test('in a message to an endpoint is the host of the request that created the endpoint', async () => {
    // Events of a busy service are stored a little later; they do not concern an endpoint that is newer.
    await Promise.all([1, 2, 3].map(() => service().post('/v1/generate', { html: 'earlier' })));
    const { body: endpoint } = await service().request('POST', '/v1/webhook-endpoints', {
      body: { url: receiver.url('/endpoint'), events: ['generation.completed'] },
      headers: { host: 'pdf.internal:8080' },
    });
    await service().post('/v1/generate', { html: 'x' });
    await until(() => receiver.at('/endpoint').length === 1);
    const message = JSON.parse(receiver.at('/endpoint')[0]?.body ?? '');
    expect(message.data.url).toStartWith('http://pdf.internal:8080/files/');
    await service().request('DELETE', `/v1/webhook-endpoints/${endpoint.id}`);
  });

  test('is the address of the service for a request without a usable host', async () => {
    const body = '{"html":"x"}';
    for (const host of ['', 'Host: \r\n', "Host: a'b;c=d\r\n"]) {
      const answer = await sendRaw(
        service().url,
        `POST /v1/generate HTTP/1.0\r\n${host}Authorization: Bearer ${service().key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      expect(answer).toContain(`"url":"${service().url}/files/`);
    }
  });

  test('does not depend on X-Forwarded-Host and X-Forwarded-Proto unless TRUST_PROXY is set', async () => {
    const headers = { 'x-forwarded-host': 'attacker.example', 'x-forwarded-proto': 'https' };
    expect(await originOfLink(service(), headers)).toBe(service().url);
  });

  test.each([
    ['pdf.example.com', 'https', 'https://pdf.example.com'],
    ['pdf.example.com:8443, inner', 'https, http', 'https://pdf.example.com:8443'],
    ['attacker.example, pdf.example.com, inner', 'ftp, https, http', 'https://pdf.example.com'],
    ['[2001:db8::1]:8443', 'https', 'https://[2001:db8::1]:8443'],
  ])(
    'behind two proxies: X-Forwarded-Host %p and X-Forwarded-Proto %p make %p',
    async (host, proto, origin) => {
      const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': proto };
      expect(await originOfLink(behindProxies(), headers)).toBe(origin);
    },
  );

  test.each(['a/b', 'a@b', 'a b', 'x:99999', 'a"><script>', ''])(
    'falls back to the Host header for the invalid X-Forwarded-Host %p',
    async (host) => {
      const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': 'javascript' };
      expect(await originOfLink(behindProxies(), headers)).toBe(behindProxies().url);
    },
  );

  test.if(isThorough)('is PUBLIC_URL if it is set, whatever the request says', async () => {
    await using fixed = await TestService.start({
      env: { PUBLIC_URL: 'https://pdf.example.com', TRUST_PROXY: '1' },
    });
    const headers = { host: 'a.example', 'x-forwarded-host': 'b.example', 'x-forwarded-proto': 'http' };
    expect(await originOfLink(fixed, headers)).toBe('https://pdf.example.com');
  });

  test.if(isThorough)('is the host of the request if the service listens on 0.0.0.0', async () => {
    await using open = await TestService.start({ env: { HOST: '0.0.0.0' } });
    expect(new URL(open.url).hostname).toBe('127.0.0.1');
    expect(await originOfLink(open, {})).toBe(open.url);
  });
});

describe('the file name of a download through a link', () => {
  const nameIn = async (url: string) => {
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const header = response.headers.get('content-disposition') ?? '';
    return decodeURIComponent(/filename\*=UTF-8''([^;]*)$/.exec(header)?.[1] ?? header);
  };
  const pdf = base64(pagesPdf(2));

  test('is the file name of the generation, in every response with a link and in webhooks', async () => {
    const { body } = await service().post('/v1/generate', {
      html: 'x',
      file_name: 'Rechnung für Zoë',
      reference: 'named',
      webhook: receiver.url('/named'),
    });
    await until(() => receiver.at('/named').length === 1);
    const urls = [
      body.url,
      (await service().get(`/v1/generations/${body.id}`)).body.url,
      (await service().get('/v1/generations?reference=named')).body.data[0].url,
      JSON.parse(receiver.at('/named')[0]?.body ?? '').data.url,
    ];
    for (const url of urls) expect(await nameIn(url)).toBe('Rechnung für Zoë.pdf');
  });

  test('is the file name of its item in a batch', async () => {
    const { body } = await service().post('/v1/generate/batch', {
      items: [{ html: 'x', file_name: 'one' }, { html: 'y' }],
    });
    const names = body.generations.map(async ({ id }: { id: string }) => {
      const generation = async () => (await service().get(`/v1/generations/${id}`)).body;
      await until(async () => (await generation()).status === 'completed');
      return nameIn((await generation()).url);
    });
    expect(await Promise.all(names)).toEqual(['one.pdf', expect.stringMatching(/^file_\w{24}\.pdf$/)]);
  });

  test('is the file name of the result of a PDF route, and the numbered names of the parts of a split', async () => {
    const { body: merged } = await service().post('/v1/pdf/merge', { pdfs: [pdf, pdf], file_name: 'Both' });
    expect(await nameIn(merged.url)).toBe('Both.pdf');
    expect(await nameIn((await service().get(`/v1/files/${merged.file_id}`)).body.url)).toBe('Both.pdf');
    const { body } = await service().post('/v1/pdf/split', { pdf, file_name: 'part' });
    const names = await Promise.all(body.parts.map(({ url }: { url: string }) => nameIn(url)));
    expect(names).toEqual(['part-1.pdf', 'part-2.pdf']);
  });

  test('is the id of the file if the request named none, and such links have no further parameters', async () => {
    const { body } = await service().post('/v1/pdf/merge', { pdfs: [pdf, pdf] });
    expect(await nameIn(body.url)).toBe(`${body.file_id}.pdf`);
    if (!onMongoAndS3)
      expect([...new URL(body.url).searchParams.keys()].toSorted()).toEqual(['expires', 'signature']);
  });
});
