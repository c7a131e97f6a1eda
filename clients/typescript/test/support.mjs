// What the tests share.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after } from 'node:test';
import { PlatenError } from '@platen/client';

const servers = [];
after(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a server on a port of 127.0.0.1, and returns its address. */
export async function listen(handler, port = 0) {
  const server = createServer(handler).listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

/** Returns the error of the client with which a call fails. */
export async function errorOf(run) {
  const error = await run().then(
    () => assert.fail('no error'),
    (reason) => reason,
  );
  assert.ok(error instanceof PlatenError, String(error?.stack ?? error));
  assert.doesNotMatch(error.message, /\n\s+at /);
  return error;
}

/** Makes a name of this run, because others may have used the account before. */
export const unique = (name) => `${name}-${crypto.randomUUID()}`;

/** Tells whether bytes are a PDF. */
export const isPdf = (bytes) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-';
