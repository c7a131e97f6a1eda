import { Connection, type CallOptions, type RouteInput } from './connection.ts';
import type { Download } from './download.ts';
import { batches, files, generations, templates } from './resources.ts';
import type { PlatenSettings } from './settings.ts';
import type {
  GenerateRequest,
  GenerateResponse,
  ImageRequest,
  ImageResponse,
  PdfRequests,
  Routes,
} from './types.gen.ts';

/** A PDF that was made, or with `async` is being made. */
export type Pdf = GenerateResponse & Download;

/** Files are downloaded from links, whatever a caller without types asks for. */
const AS_LINK = { output: 'url' };

/** A client of a Platen service. */
export class Platen {
  readonly generations: ReturnType<typeof generations>;
  readonly templates: ReturnType<typeof templates>;
  readonly batches: ReturnType<typeof batches>;
  readonly files: ReturnType<typeof files>;
  readonly #connection: Connection;

  constructor(settings: PlatenSettings = {}) {
    this.#connection = new Connection(settings);
    this.generations = generations(this.#connection);
    this.templates = templates(this.#connection);
    this.batches = batches(this.#connection);
    this.files = files(this.#connection);
  }

  /** Makes a PDF from `html`, `template`, `react`, `markdown` or `url`. */
  generate(request: GenerateRequest, options?: CallOptions): Promise<Pdf> {
    return this.#connection.call('POST /v1/generate', { body: { ...request, ...AS_LINK } }, options);
  }

  /** Makes a PNG, JPEG or WebP image from the same sources. */
  image(request: ImageRequest, options?: CallOptions): Promise<ImageResponse & Download> {
    return this.#connection.call('POST /v1/images', { body: { ...request, ...AS_LINK } }, options);
  }

  /** Runs an operation: `platen.pdf('merge', { pdfs: [cover.id, report.id] })`. A PDF is an id, bytes, or base64. */
  pdf<Name extends keyof PdfRequests>(
    name: Name,
    request: PdfRequests[Name],
    options?: CallOptions,
  ): Promise<Routes[`POST /v1/pdf/${Name}`]['result']> {
    return this.#connection.call(`POST /v1/pdf/${name}`, { body: request } as never, options);
  }

  /** Calls any route, such as `platen.request('GET /v1/keys/{id}', { path: { id } })`. */
  request<Route extends keyof Routes>(
    route: Route,
    ...[input, options]: object extends RouteInput<Route>
      ? [input?: RouteInput<Route>, options?: CallOptions]
      : [input: RouteInput<Route>, options?: CallOptions]
  ): Promise<Routes[Route]['result']> {
    return this.#connection.call(route, input ?? ({} as RouteInput<Route>), options);
  }
}
