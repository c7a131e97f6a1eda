import type { ApiResponse, TestService } from './service.ts';

/** A part of a form: text, or a file. */
export type FormPart = readonly [name: string, content: string | Uint8Array | Blob, filename?: string];

/** Creates a form. Bytes are sent as a file, as `curl -F name=@file` does. */
export function formOf(parts: readonly FormPart[]): FormData {
  const form = new FormData();
  for (const [name, content, filename = 'a.pdf'] of parts) {
    if (typeof content === 'string') form.append(name, content);
    else form.append(name, content instanceof Blob ? content : new Blob([new Uint8Array(content)]), filename);
  }
  return form;
}

export function requestPart(value: unknown): FormPart {
  return ['request', new Blob([JSON.stringify(value)], { type: 'application/json' }), 'request.json'];
}

/** Posts a form and reads the JSON of the response. */
export async function postForm(
  service: TestService,
  path: string,
  body: FormData | { boundary: string; bytes: Uint8Array | string },
  { key = service.key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(!(body instanceof FormData) && {
        'content-type': `multipart/form-data; boundary=${body.boundary}`,
      }),
      ...headers,
    },
    body: body instanceof FormData ? body : (body.bytes as string),
  });
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? await response.json() : undefined,
  };
}
