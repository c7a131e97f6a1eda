import { requireSuccess, unreachable } from './api.ts';

/**
 * Sends a form like `send`, and reports how much of it was sent, from 0 to 1.
 * @throws {ApiError} for an error response or a failed connection
 * @throws {DOMException} AbortError when the signal is aborted
 */
export async function upload(
  path: string,
  form: FormData,
  options: {
    signal: AbortSignal;
    headers: Readonly<Record<string, string>>;
    onProgress: (share: number) => void;
  },
): Promise<Response> {
  const { signal, headers, onProgress } = options;
  signal.throwIfAborted();
  const response = await new Promise<Response>((resolve, reject) => {
    // `fetch` does not report the progress of an upload.
    const request = new XMLHttpRequest();
    request.open('POST', path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () => {
      const retryAfter = request.getResponseHeader('retry-after');
      resolve(
        new Response(request.responseText || null, {
          status: request.status,
          ...(retryAfter !== null && { headers: { 'retry-after': retryAfter } }),
        }),
      );
    });
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
  return requireSuccess(path, response);
}
