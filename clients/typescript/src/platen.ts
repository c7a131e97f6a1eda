import { Connection, type CallOptions, type RouteInput } from './connection.ts';
import type { Download } from './download.ts';
import { resources } from './resources.ts';
import type { PlatenSettings } from './settings.ts';
import type {
  GenerateRequest,
  GenerateResponse,
  ImageRequest,
  ImageResponse,
  PdfRequests,
  Routes,
} from './types.gen.ts';

type Resources = ReturnType<typeof resources>;

/** A PDF that was made, or with `async` is being made. */
export type Pdf = GenerateResponse & Download;

/** Files are downloaded from links, whatever a caller without types asks for. */
const AS_LINK = { output: 'url' };

/** A client of a Platen service. */
export class Platen {
  /** Records of documents. */
  declare readonly generations: Resources['generations'];
  /** Stored templates. An alias stands for an id. */
  declare readonly templates: Resources['templates'];
  /** Many documents from one request. */
  declare readonly batches: Resources['batches'];
  /** Uploaded PDFs and results of operations. */
  declare readonly files: Resources['files'];
  readonly #connection: Connection;

  constructor(settings: PlatenSettings = {}) {
    this.#connection = new Connection(settings);
    Object.assign(this, resources(this.#connection));
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
