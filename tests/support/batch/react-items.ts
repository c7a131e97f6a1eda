import { expect } from 'bun:test';
import { join } from 'node:path';
import { inTime, whenNotBusy } from '../service/in-time.ts';
import { pdfText, toolsAvailable } from '../pdf/pdf.ts';
import type { ApiResponse, TestService } from '../service/service.ts';
import { sharedService } from '../service/shared-service.ts';

/** The fields of an item except for its source. */
export interface Item {
  data?: unknown;
  styles?: string;
  options?: object;
}

/** Sends items to a service with the `react-items` plugin and reads the results. */
export class ReactItems {
  readonly service: () => TestService;

  constructor(service: () => TestService) {
    this.service = service;
  }

  /** Starts a service for all tests of a file, by default with limits that a busy machine does not exceed. */
  static share(
    env: Record<string, string> = {},
    render: object = { timeoutMs: 60_000, reactTimeoutMs: 60_000 },
  ): ReactItems {
    const plugin = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'react-items.ts');
    return new ReactItems(sharedService({ env, config: { plugins: { [plugin]: true, render } } }));
  }

  send(react: string, item: Item = {}): Promise<ApiResponse> {
    return this.post({ source: { react }, ...item });
  }

  post(body: unknown): Promise<ApiResponse> {
    return this.service().post('/v1/react-items', body);
  }

  async pdfOf({ status, body }: ApiResponse): Promise<Uint8Array> {
    expect(body.error?.details).toBeUndefined();
    expect(status).toBe(200);
    const { body: generation } = await this.service().get(`/v1/generations/${body.id}`);
    return this.service().download(generation.url);
  }

  /**
   * Prints a component and compares its text, with each run of whitespace collapsed to one space. A component
   * that exceeds a short deadline is sent again.
   */
  async expectText(react: string, text: string, item: Item = {}): Promise<void> {
    const pdf = await this.pdfOf(await inTime(() => this.send(react, item)));
    if (toolsAvailable) expect((await pdfText(pdf)).replace(/\s+/g, ' ').trim()).toBe(text);
  }

  /**
   * Sends a component that must fail and returns the recorded error. A component that got too little processor
   * time on a busy machine is sent again.
   */
  async errorOf(react: string): Promise<string> {
    const { status, body } = await whenNotBusy(() => this.send(react));
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const { body: list } = await this.service().get('/v1/generations?limit=1');
    expect(list.data[0]).toMatchObject({
      status: 'failed',
      input_type: 'react',
      template_id: null,
      url: null,
    });
    const { body: read } = await this.service().get(`/v1/generations/${list.data[0].id}`);
    const [{ code, message }] = body.error.details;
    expect(read.error).toBe(`${code}: ${message}`);
    return read.error;
  }

  /** Prints a component of another account, which has its usual priority. */
  async expectNextIsPrinted(): Promise<void> {
    const other = await this.service().forNewAccount();
    await new ReactItems(() => other).expectText('export default () => <p>next</p>', 'next');
  }
}
