import { BSON } from 'mongodb';

const headerBytes = 16;
const legacyQuery = 2004;

const hello = {
  ok: 1,
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 21,
};
const refusal = { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };

/**
 * Returns the reply to a message: accepts a handshake, and rejects everything else as mongod rejects a wrong
 * password.
 */
function replyTo(message: Buffer): Buffer {
  const legacy = message.readInt32LE(12) === legacyQuery;
  const isHello = legacy || message.includes('hello\0') || message.includes('ismaster\0');
  const body = BSON.serialize(isHello ? hello : refusal);
  // OP_REPLY has flags, cursor, start and count before the document; OP_MSG has flags and the section kind.
  const preamble = Buffer.alloc(legacy ? 20 : 5);
  if (legacy) preamble.writeInt32LE(1, 16);
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + preamble.length + body.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(legacy ? 1 : 2013, 12);
  return Buffer.concat([header, preamble, body]);
}

/**
 * Serves the part of MongoDB's wire protocol that a client with a wrong password sees. The test server has no
 * users.
 */
export function refusingMongo(): { port: number; stop: () => void } {
  const listener = Bun.listen<{ received: Buffer }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { received: Buffer.alloc(0) };
      },
      data(socket, chunk) {
        let received = Buffer.concat([socket.data.received, chunk]);
        while (received.length >= headerBytes && received.length >= received.readInt32LE(0)) {
          const size = received.readInt32LE(0);
          socket.write(replyTo(received.subarray(0, size)));
          received = received.subarray(size);
        }
        socket.data.received = received;
      },
    },
  });
  return { port: listener.port, stop: () => listener.stop(true) };
}
