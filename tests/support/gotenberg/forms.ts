import { formOf, type FormPart } from '../service/multipart.ts';
import type { TestService } from '../service/service.ts';

/** A form for a route of Gotenberg: its files by name, and its fields. */
export interface GotenbergForm {
  files?: Readonly<Record<string, string | Uint8Array>>;
  fields?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
}

/** Posts a form to a route of Gotenberg, below `/forms/`, and returns the response. */
export function postGotenberg(
  { url, key }: Pick<TestService, 'url' | 'key'>,
  route: string,
  { files = {}, fields = {}, headers = {} }: GotenbergForm,
): Promise<Response> {
  const parts: FormPart[] = [
    ...Object.entries(files).map(([name, content]) => ['files', Buffer.from(content), name] as const),
    ...Object.entries(fields).map(([name, value]) => [name, value] as const),
  ];
  const authorization = `Bearer ${key}`;
  return fetch(`${url}/forms/${route}`, {
    method: 'POST',
    headers: { authorization, ...headers },
    body: formOf(parts),
  });
}
