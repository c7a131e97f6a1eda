import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { BodyMemory } from '../../../src/http/body/body-memory.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { TestService } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ env: { BODY_MEMORY_MB: '320' } });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Connects to the service and returns the head of a request with a body. */
async function openRequest({
  path,
  key = service.key,
  length,
}: {
  path: string;
  key?: string;
  length: number;
}): Promise<{ socket: Socket; head: string }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${length}`,
  ];
  return { socket, head: `${lines.join('\r\n')}\r\n\r\n` };
}

/** Starts a request with a body of 999 kB and sends a part of it. */
async function beginSmall(bytes: number): Promise<Socket> {
  const { socket, head } = await openRequest({ path: '/v1/pdf/info', length: 999_000 });
  await new Promise((resolve) => socket.write(`${head}{${' '.repeat(bytes)}`, resolve));
  return socket;
}

/** Starts a request with a body of 145 MB and sends a part of it. */
async function begin(key: string, bytes: number): Promise<Socket> {
  const { socket, head } = await openRequest({ path: '/v1/pdf/merge', key, length: 145_000_000 });
  await new Promise((resolve) => socket.write(`${head}{${' '.repeat(bytes)}`, resolve));
  return socket;
}

/** Merges PDFs and reads only the status of the response. The rest waits in the service. */
async function postUnread(body: string): Promise<{ socket: Socket; status: number }> {
  const { socket, head } = await openRequest({ path: '/v1/pdf/merge', length: body.length });
  const status = await new Promise<number>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (first) => {
      socket.pause();
      resolve(Number(first.toString('latin1', 9, 12)));
    });
    socket.write(`${head}${body}`);
  });
  return { socket, status };
}

/** Merges of 24 MB may take minutes on a busy machine. */
const UNTIL_LIMIT_MS = 200_000;

/** Repeats a request until it gets a status, because the service notices a disconnect only after a moment. */
function untilStatus(status: number, request: () => Promise<{ status: number }>): Promise<void> {
  return until(async () => (await request()).status === status, UNTIL_LIMIT_MS);
}

/** A small PDF in a large base64 string: the service accepts whitespace. */
const large = JSON.stringify({ pdf: samplePdf + ' '.repeat(20_000_000) });

test('concurrent large bodies are refused while they arrive, only for the account that sends them', async () => {
  const neighbour = await service.newKey();
  const socket = await begin(service.key, 142_000_000);
  try {
    await untilStatus(429, () => service.post('/v1/pdf/info', large));
    const refused = await service.post('/v1/pdf/info', large);
    expect(refused.body.error.code).toBe('RATE_LIMITED');
    expect(refused.body.error.message).toContain('large requests');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

    // A body without a declared length is refused as soon as it is too large.
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
  // The memory of the disconnected caller is free again.
  await untilStatus(200, () => service.post('/v1/pdf/info', large));
}, 60_000);

test('a finished request frees its memory', async () => {
  for (let round = 0; round < 10; round++)
    expect((await service.post('/v1/pdf/info', large)).status).toBe(200);
}, 60_000);

test('bodies that are announced but not sent take no memory from others', async () => {
  const sockets: Socket[] = [];
  const opened = spyOn(BodyMemory.prototype, 'open');
  try {
    for (const key of [service.key, await service.newKey()])
      for (let count = 0; count < 3; count++) sockets.push(await begin(key, 1_000));
    await until(() => opened.mock.calls.length === sockets.length);
    const third = await service.newKey();
    for (const key of [service.key, third])
      expect((await service.post('/v1/pdf/info', large, key)).status).toBe(200);
  } finally {
    opened.mockRestore();
    for (const socket of sockets) socket.destroy();
  }
}, 60_000);

test.each(['base64', 'binary'])(
  'unread %s responses take memory from their account only, until it disconnects',
  async (output) => {
    const neighbour = await service.newKey();
    const body = JSON.stringify({ pdfs: [noisePdf(24_000_000), samplePdf], output });
    const unread: Socket[] = [];
    try {
      let status = 200;
      for (let count = 0; status === 200 && count < 40; count += 1) {
        const answered = await postUnread(body);
        unread.push(answered.socket);
        status = answered.status;
      }
      expect(status).toBe(429);
      expect((await service.post('/v1/pdf/merge', body, neighbour)).status).toBe(200);
    } finally {
      for (const socket of unread) socket.destroy();
    }
    await untilStatus(200, () => service.post('/v1/pdf/merge', body));
  },
  // Twenty merges of 24 MB take minutes on a busy machine.
  240_000,
);

/** Creates a PDF of a page that cannot be compressed. */
function noisePdf(bytes: number): string {
  const noise = randomBytes(bytes).toString('latin1');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<>>/Contents 4 0 R>>',
    `<</Length ${bytes}>>stream\n${noise}\nendstream`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('');
  return base64(`%PDF-1.4\n${body}trailer<</Root 1 0 R/Size 5>>\n%%EOF`);
}

test('small bodies that never arrive completely take memory from their account only', async () => {
  const neighbour = await service.newKey();
  const sockets: Socket[] = [];
  const small = JSON.stringify({ pdf: samplePdf + ' '.repeat(900_000) });
  try {
    let status = 200;
    for (; status === 200 && sockets.length < 300; sockets.push(await beginSmall(900_000)))
      ({ status } = await service.post('/v1/pdf/info', small));
    expect(status).toBe(429);
    expect((await service.post('/v1/pdf/info', small, neighbour)).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await untilStatus(200, () => service.post('/v1/pdf/info', small));
}, 60_000);
