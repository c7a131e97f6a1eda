import { pack, unpack } from './envelope.ts';

declare module 'bun' {
  // The types of Bun describe these options and omit the overload that takes them.
  function connect<Data = undefined>(options: FdSocketOptions<Data>): Promise<Socket<Data>>;
}

/** The largest message in bytes: above every limit of the API, and below the size that would endanger the service. */
export const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

const HEADER_BYTES = 4;

/** Shorter messages leave in one write. */
const SHORT_BYTES = 65_536;

/** Rejects a value that cannot be sent; the other side is in order. */
export class UncloneableError extends Error {
  override name = 'UncloneableError';
}

/** What a channel tells its owner. */
export interface ChannelEvents {
  message: (value: unknown) => void;
  /** The other side is gone, or sent bytes that are not messages. Called once. */
  closed: () => void;
}

/**
 * One end of a connected pair of sockets that carries values in both directions, each behind its length in four bytes.
 * Only structured-clone data crosses: a process that a parser bug has turned can send wrong values, but no code.
 * A long message is written and read piece by piece, so that the event loop does other work between the pieces.
 */
export class Channel {
  readonly #socket: Bun.Socket;
  readonly #outgoing: Uint8Array[] = [];
  #drained: PromiseWithResolvers<void> | undefined;

  private constructor(socket: Bun.Socket) {
    this.#socket = socket;
  }

  /** Takes over one end of a socket pair, and closes its file descriptor in the end. */
  static async open(fd: number, { message, closed }: ChannelEvents): Promise<Channel> {
    const incoming = new Incoming((bytes) => message(unpack(bytes)));
    // Data may arrive before `connect` resolves, but the pair takes nothing to send before it has an owner.
    let channel: Channel | undefined;
    const socket = await Bun.connect({
      fd,
      socket: {
        data(from, bytes) {
          try {
            incoming.take(bytes);
          } catch {
            from.terminate();
          }
        },
        drain() {
          if (channel) channel.#flush();
        },
        close: () => closed(),
        error: (from) => from.terminate(),
      },
    });
    channel = new Channel(socket);
    return channel;
  }

  /**
   * Sends a value. Its long byte arrays are read while they leave: leave them alone until the answer.
   * @throws {UncloneableError} when the value is not structured-cloneable, or too large.
   */
  send(value: unknown): void {
    const parts = packed(value);
    const size = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (size > MAX_MESSAGE_BYTES) throw new UncloneableError(`the value has ${size} bytes serialized`);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(size);
    if (size <= SHORT_BYTES) this.#outgoing.push(Buffer.concat([header, ...parts]));
    else this.#outgoing.push(header, ...parts);
    this.#flush();
  }

  /** Resolves when everything has left. */
  drained(): Promise<void> {
    return this.#drained?.promise ?? Promise.resolve();
  }

  /** Closes the connection without waiting for what is still to be sent. */
  close(): void {
    this.#outgoing.length = 0;
    this.#socket.terminate();
  }

  #flush(): void {
    for (let next = this.#outgoing.shift(); next; next = this.#outgoing.shift()) {
      const written = Math.max(0, this.#socket.write(next));
      if (written === next.length) continue;
      this.#outgoing.unshift(next.subarray(written));
      this.#drained ??= Promise.withResolvers();
      return;
    }
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}

function packed(value: unknown): Uint8Array[] {
  try {
    return pack(value);
  } catch (error) {
    throw new UncloneableError('a value that crosses to or from the sandbox must be structured-cloneable', {
      cause: error,
    });
  }
}

/** Puts messages together from the pieces in which they arrive. */
class Incoming {
  readonly #take: (message: ArrayBuffer) => void;
  readonly #header = new Uint8Array(HEADER_BYTES);
  #body: Uint8Array<ArrayBuffer> | undefined;
  /** How much of the header, or of the body once there is one, has arrived. */
  #filled = 0;

  constructor(take: (message: ArrayBuffer) => void) {
    this.#take = take;
  }

  /** @throws {Error} for a length beyond the limit, and what the receiver throws. */
  take(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0;) {
      const target = this.#body ?? this.#header;
      const piece = rest.subarray(0, target.length - this.#filled);
      target.set(piece, this.#filled);
      this.#filled += piece.length;
      rest = rest.subarray(piece.length);
      if (this.#filled === target.length) this.#complete();
    }
  }

  #complete(): void {
    this.#filled = 0;
    const body = this.#body;
    this.#body = undefined;
    if (body) return this.#take(body.buffer);
    const length = new DataView(this.#header.buffer).getUint32(0, true);
    if (length === 0 || length > MAX_MESSAGE_BYTES) throw new Error(`a message of ${length} bytes`);
    this.#body = new Uint8Array(length);
  }
}
