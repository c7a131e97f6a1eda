import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { samplePdf } from '../../plugins/pdf-tools/examples.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ env: { BODY_MEMORY_MB: '320' } });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Announces a body of 145 MB, and sends some of it. */
async function begin(key: string, bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /v1/pdf/merge HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    'content-length: 145000000',
  ];
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n{${' '.repeat(bytes)}`, resolve));
  // What is in the system's buffers is read meanwhile.
  await Bun.sleep(500);
  return socket;
}

/** Asks until the answer has a status; the service learns a moment later of what a socket did. */
async function until(status: number, ask: () => Promise<{ status: number }>): Promise<void> {
  for (let answered = await ask(); answered.status !== status; answered = await ask()) await Bun.sleep(20);
}

/** A small PDF in much base64: white space in it is borne. */
const large = JSON.stringify({ pdf: samplePdf + ' '.repeat(20_000_000) });

test('large bodies that come at once are refused as they come, for the account that sends them', async () => {
  const neighbour = await service.newKey();
  const socket = await begin(service.key, 142_000_000);
  try {
    await until(429, () => service.post('/v1/pdf/info', large));
    const refused = await service.post('/v1/pdf/info', large);
    expect(refused.body.error.code).toBe('RATE_LIMITED');
    expect(refused.body.error.message).toContain('large requests');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

    // One whose length is not told is refused when it has become too large.
    let sent = 0;
    const chunks = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= large.length) return controller.close();
        controller.enqueue(Buffer.from(large.slice(sent, sent + 1_000_000)));
        sent += 1_000_000;
      },
    });
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const streamed = await fetch(`${service.url}/v1/pdf/info`, { method: 'POST', headers, body: chunks });
    expect(streamed.status).toBe(429);

    expect((await service.post('/v1/pdf/info', { pdf: samplePdf })).status).toBe(200);
    expect((await service.post('/v1/pdf/info', large, neighbour)).status).toBe(200);
  } finally {
    socket.destroy();
  }
  // What the caller that hung up had taken is given back.
  await until(200, () => service.post('/v1/pdf/info', large));
}, 60_000);

test('a body that is answered leaves room for the next', async () => {
  for (let round = 0; round < 10; round++)
    expect((await service.post('/v1/pdf/info', large)).status).toBe(200);
}, 60_000);

test('bodies that are announced and do not come take no room from others', async () => {
  const sockets: Socket[] = [];
  try {
    for (const key of [service.key, await service.newKey()])
      for (let count = 0; count < 3; count++) sockets.push(await begin(key, 1_000));
    const third = await service.newKey();
    for (const key of [service.key, third])
      expect((await service.post('/v1/pdf/info', large, key)).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}, 60_000);
