import { expect } from 'bun:test';
import { pdfText } from '../pdf/pdf.ts';
import type { TestService } from '../service/service.ts';
import { postGotenberg, type GotenbergForm } from './forms.ts';

/** Sends forms to the routes of Gotenberg that print with Chromium. */
export class ChromiumForms {
  readonly #service: () => TestService;

  constructor(service: () => TestService) {
    this.#service = service;
  }

  readonly post = (route: string, form: GotenbergForm) =>
    postGotenberg(this.#service(), `chromium/convert/${route}`, form);

  readonly pdfOf = async (route: string, form: GotenbergForm): Promise<Uint8Array> => {
    const response = await this.post(route, form);
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    return response.bytes();
  };

  readonly html = (index: string, fields?: GotenbergForm['fields'], files?: GotenbergForm['files']) =>
    this.pdfOf('html', { files: { 'index.html': index, ...files }, ...(fields && { fields }) });

  readonly textOf = async (pdf: Promise<Uint8Array>, page?: number): Promise<string> => {
    const text = await pdfText(await pdf, page === undefined ? {} : { page });
    return text.replaceAll(/\s+/g, ' ').trim();
  };

  /** Returns the status and the text of an error. */
  readonly fault = async (route: string, form: GotenbergForm): Promise<[number, string]> => {
    const response = await this.post(route, form);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    return [response.status, await response.text()];
  };
}
