import { expect } from 'bun:test';
import type { TestService } from '../service/service.ts';

const STYLE = '<style>p { font: 14px sans-serif; width: 200px }</style>';
/** A template whose text fits on one line. */
export const HTML = `${STYLE}<h1>Invoice {{number}}</h1><p>{{text}}</p>`;
/** The template with a text that wraps. */
export const NARROW = HTML.replace('200px', '100px');
export const DATA = { number: 1, text: 'Payable within ten days' };

/** Sends requests for the cases of templates. A template is its path, as `create` returns it. */
export class TemplateTestsClient {
  readonly #service: () => TestService;

  constructor(service: () => TestService) {
    this.#service = service;
  }

  send(method: string, path: string, body?: unknown, key?: string) {
    return this.#service().request(method, path, {
      ...(body !== undefined && { body }),
      ...(key !== undefined && { key }),
    });
  }

  /** Creates a template, and returns its path. */
  async create(fields: object = {}): Promise<string> {
    const { status, body } = await this.send('POST', '/v1/templates', {
      name: 'Test',
      html_content: HTML,
      ...fields,
    });
    expect(status).toBe(201);
    return `/v1/templates/${body.id}`;
  }

  putCase(template: string, name: string, fields: object = {}) {
    return this.send('PUT', `${template}/cases/${name}`, { data: DATA, ...fields });
  }

  accept(template: string, name: string, body: object = {}) {
    return this.send('POST', `${template}/cases/${name}/accept`, body);
  }

  check(template: string, body: object = {}) {
    return this.send('POST', `${template}/check`, body);
  }

  /** Creates a template with an accepted case. */
  async createAccepted(fields: object = {}): Promise<string> {
    const template = await this.create(fields);
    expect((await this.putCase(template, 'one')).status).toBe(200);
    expect((await this.accept(template, 'one')).status).toBe(200);
    return template;
  }
}

/** Returns the status and the message of an error. */
export const messageOf = ({ status, body }: { status: number; body?: { error?: { message: string } } }) =>
  `${status} ${body?.error?.message}`;
