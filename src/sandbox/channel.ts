import { pack, unpack } from './envelope.ts';

declare module 'bun' {
  // Bun's types describe these options but omit the overload that accepts them.
  function connect<Data = undefined>(options: FdSocketOptions<Data>): Promise<Socket<Data>>;
}

/**
 * The largest message in bytes. It exceeds every limit of the API but cannot exhaust the service's memory.
 */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

const HEADER_BYTES = 4;

/** Messages up to this length are sent with one write. */
const SHORT_BYTES = 65_536;

/** Thrown for a value that cannot be sent. The channel stays usable. */
export class UncloneableError extends Error {
  override name = 'UncloneableError';
}

interface ChannelEvents {
  message: (value: unknown) => void;
  /** Called once, when the other side has closed the channel or sent something other than messages. */
  closed: () => void;
}

/**
 * One end of a connected pair of sockets. Values travel in both directions, each preceded by its length in
 * four bytes. Only structured-clone data is sent, so a process that hostile content has taken over can send
 * wrong values but not code. Long messages are written and read in pieces, which leaves the event loop free
 * for other work in between.
 */
export class Channel {
  readonly #socket: Bun.Socket;
  readonly #outgoing: Uint8Array[] = [];
  #drained: PromiseWithResolvers<void> | undefined;

  private constructor(socket: Bun.Socket) {
    this.#socket = socket;
  }

  /** Opens a channel on one end of a socket pair. The channel owns the file descriptor and closes it. */
  static async open(fd: number, { message, closed }: ChannelEvents): Promise<Channel> {
    const reader = new MessageReader((bytes) => message(unpack(bytes)));
    // Data may arrive before `connect` resolves; nothing is sent before then.
    let channel: Channel | undefined;
    const socket = await Bun.connect({
      fd,
      socket: {
        data(from, bytes) {
          try {
            reader.read(bytes);
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
   * Sends a value and returns its size in bytes. Its long byte arrays are not copied: do not change them
   * before the reply arrives.
   * @throws {UncloneableError} if the value is not structured-cloneable or too large.
   */
  send(value: unknown): number {
    const parts = packOrThrow(value);
    const size = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (size > MAX_MESSAGE_BYTES) throw new UncloneableError(`the value has ${size} bytes serialized`);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(size);
    if (size <= SHORT_BYTES) this.#outgoing.push(Buffer.concat([header, ...parts]));
    else this.#outgoing.push(header, ...parts);
    this.#flush();
    return size;
  }

  /** Resolves when everything has been sent. */
  drained(): Promise<void> {
    return this.#drained?.promise ?? Promise.resolve();
  }

  /** Closes the channel and discards unsent data. */
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

function packOrThrow(value: unknown): Uint8Array[] {
  try {
    return pack(value);
  } catch (error) {
    throw new UncloneableError('a value sent to or from the sandbox must be structured-cloneable', {
      cause: error,
    });
  }
}

/** Assembles messages from the pieces in which they arrive. */
class MessageReader {
  readonly #onMessage: (message: ArrayBuffer) => void;
  readonly #header = new Uint8Array(HEADER_BYTES);
  #body: Uint8Array<ArrayBuffer> | undefined;
  /** The number of bytes received of the header or, once its length is known, of the body. */
  #filled = 0;

  constructor(onMessage: (message: ArrayBuffer) => void) {
    this.#onMessage = onMessage;
  }

  /** @throws {Error} if a message is empty or too long. Rethrows the errors of the callback. */
  read(bytes: Uint8Array): void {
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
    if (body) return this.#onMessage(body.buffer);
    const length = new DataView(this.#header.buffer).getUint32(0, true);
    if (length === 0 || length > MAX_MESSAGE_BYTES)
      throw new Error(`the message has an invalid length of ${length} bytes`);
    this.#body = new Uint8Array(length);
  }
}
