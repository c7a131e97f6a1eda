const BOUNDARY = `${'a'.repeat(69)}b`;

/** The media type of a {@link form}. */
export const contentType = `multipart/form-data; boundary=${BOUNDARY}`;
/** The boundary of a {@link form}, which its parts may imitate. */
export const boundary = BOUNDARY;

/** Creates a part with these headers. */
export const part = (headers: string, content: string) => `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
/** Creates a part with a file. */
export const file = (content: string, name = 'pdfs', fileName = 'a.pdf') =>
  part(`Content-Disposition: form-data; name="${name}"; filename="${fileName}"`, content);
/** Creates a part with a text. */
export const field = (name: string, value: string) =>
  part(`Content-Disposition: form-data; name="${name}"`, value);
/** Creates a body of multipart/form-data. */
export const form = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`;
