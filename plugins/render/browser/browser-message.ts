export interface MessageLimits {
  /** A longer event is replaced with a short one that states its size. */
  eventBytes: number;
  /** A longer response becomes an error. */
  responseBytes: number;
  /** A longer PDF becomes an error. */
  pdfBytes: number;
  /** A longer image becomes an error. */
  imageBytes: number;
}

/** A message of the Chrome DevTools Protocol. */
export interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
  sessionId?: string;
}

/** The error message of a response whose PDF or image exceeds the limit. */
export const FILE_TOO_LARGE = 'the file is too large';

/** Maps commands that return a file in base64 to the limit of that file. */
export const FILE_LIMITS: Readonly<Record<string, 'pdfBytes' | 'imageBytes'>> = {
  'Page.printToPDF': 'pdfBytes',
  'Page.captureScreenshot': 'imageBytes',
};

/** Enough for the method, the id, and the beginning of the first parameter. */
const HEAD_BYTES = 256;
/** Enough for the session id, which comes last. */
const TAIL_BYTES = 64;
const QUOTE = 0x22;

const RESPONSE_ID = /^\{"id":(-?\d{1,15}),/;
const EVENT_METHOD = /^\{"method":"([A-Za-z.]{1,100})"/;
const CONSOLE_TYPE = /^\{"method":"Runtime\.consoleAPICalled","params":\{"type":"([a-zA-Z]{1,20})"/;
const SESSION_ID = /"sessionId":"([0-9A-F]{32})"\}$/;
const FILE_START = /^\{"id":-?\d{1,15},"result":\{"data":"/;

const SERVER_ERROR = -32_000;

/**
 * Assembles a message that arrives from the browser. Stores at most the limit of its kind; the rest of a
 * longer message is counted and dropped.
 *
 * Chromium writes the id or the method first and the session id last
 * (`third_party/inspector_protocol/crdtp/dispatch.cc`).
 */
export class IncomingMessage {
  readonly #limits: MessageLimits;
  readonly #fileLimitOf: (id: number) => number | undefined;
  #pieces: Buffer[] = [];
  #size = 0;
  #head = '';
  #tail: Buffer = Buffer.alloc(0);
  #maxBytes = Number.POSITIVE_INFINITY;
  #file: Base64Decoder | undefined;
  #dropped = false;

  /**
   * @param fileLimitOf returns the limit of the file that the command with an id returns; `undefined` for
   * other commands
   */
  constructor(limits: MessageLimits, fileLimitOf: (id: number) => number | undefined) {
    this.#limits = limits;
    this.#fileLimitOf = fileLimitOf;
  }

  /** Takes the next bytes without copying them. */
  take(piece: Buffer): void {
    this.#size += piece.length;
    this.#tail =
      piece.length >= TAIL_BYTES
        ? piece.subarray(-TAIL_BYTES)
        : Buffer.concat([this.#tail, piece]).subarray(-TAIL_BYTES);
    if (this.#dropped) return;
    if (this.#file) this.#file.take(piece);
    else this.#pieces.push(piece);
    if (this.#head.length < HEAD_BYTES) this.#readHead(piece);
    if (this.#size > this.#maxBytes) this.#drop();
  }

  get isTooLong(): boolean {
    return this.#dropped;
  }

  /** The id of the command to which this message responds; `undefined` for an event. */
  get id(): number | undefined {
    const id = RESPONSE_ID.exec(this.#head)?.[1];
    return id === undefined ? undefined : Number(id);
  }

  /** The event's name; `undefined` for a response. */
  get method(): string | undefined {
    return EVENT_METHOD.exec(this.#head)?.[1];
  }

  get sessionId(): string | undefined {
    return SESSION_ID.exec(this.#tail.toString('latin1'))?.[1];
  }

  /**
   * Returns the complete message, or a replacement for a message that is too long; `undefined` if it has no
   * replacement.
   */
  read(): Message | undefined {
    const message = this.#dropped ? this.#replacement() : this.#whole();
    if (!message || this.sessionId === undefined) return message;
    return { ...message, sessionId: this.sessionId };
  }

  #readHead(piece: Buffer): void {
    this.#head += piece.toString('latin1', 0, HEAD_BYTES - this.#head.length);
    const { id } = this;
    const { eventBytes, responseBytes } = this.#limits;
    if (this.#head.length < HEAD_BYTES) return;
    const fileBytes = id === undefined ? undefined : this.#fileLimitOf(id);
    const start = fileBytes === undefined ? undefined : FILE_START.exec(this.#head)?.[0];
    if (fileBytes === undefined || start === undefined) {
      this.#maxBytes = id === undefined ? eventBytes : responseBytes;
      return;
    }
    this.#maxBytes = (fileBytes * 4) / 3;
    this.#file = new Base64Decoder();
    this.#file.take(Buffer.concat(this.#pieces).subarray(start.length));
    this.#pieces = [];
  }

  #drop(): void {
    this.#dropped = true;
    this.#pieces = [];
  }

  #whole(): Message {
    if (this.#file)
      return { ...(this.id !== undefined && { id: this.id }), result: { data: this.#file.finish() } };
    const [first, ...others] = this.#pieces;
    const bytes = first && others.length === 0 ? first : Buffer.concat(this.#pieces);
    return JSON.parse(bytes.toString('utf8')) as Message;
  }

  #replacement(): Message | undefined {
    const { id, method } = this;
    if (id !== undefined) {
      const message = this.#file ? FILE_TOO_LARGE : `the browser's response has ${this.#size} bytes`;
      return { id, error: { code: SERVER_ERROR, message } };
    }
    switch (method) {
      case 'Runtime.consoleAPICalled': {
        const type = CONSOLE_TYPE.exec(this.#head)?.[1] ?? 'log';
        return {
          method,
          params: { type, args: [{ type: 'string', value: `(a message of ${this.#size} bytes)` }] },
        };
      }
      case 'Runtime.exceptionThrown': {
        const text = `Uncaught exception of ${this.#size} bytes`;
        return { method, params: { exceptionDetails: { text, lineNumber: 0, columnNumber: 0 } } };
      }
      // The page waits until its dialog is closed.
      case 'Page.javascriptDialogOpening':
        return {
          method,
          params: { url: '', message: '', type: 'alert', defaultPrompt: '', hasBrowserHandler: false },
        };
      case undefined:
      default:
        return undefined;
    }
  }
}

/** Decodes base64 text up to its closing quote. */
class Base64Decoder {
  readonly #decoded: Buffer[] = [];
  #rest = '';
  #ended = false;

  take(piece: Buffer): void {
    if (this.#ended) return;
    const quote = piece.indexOf(QUOTE);
    this.#ended = quote >= 0;
    const text = this.#rest + piece.toString('latin1', 0, this.#ended ? quote : piece.length);
    const whole = text.length - (text.length % 4);
    this.#decoded.push(Buffer.from(text.slice(0, whole), 'base64'));
    this.#rest = text.slice(whole);
  }

  finish(): Buffer {
    return Buffer.concat(this.#decoded);
  }
}
