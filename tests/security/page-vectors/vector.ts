/** Where a vector aims, and where its own files are served from. */
export interface VectorTarget {
  port: number;
  /** `127.0.0.1:port` of the honeypot. */
  at: string;
  /** `http://` + `at`. */
  url: string;
  /** URL of the folder with this vector's own files, on an origin that the guard allows. */
  base: string;
}

/** One way in which a page might reach the network. */
export interface Vector {
  name: string;
  html(target: VectorTarget): string;
  /** Files beside the page, by name. */
  files?(target: VectorTarget): Record<string, { type: string; body: string }>;
  /** Response headers of the page when it is served. */
  headers?(target: VectorTarget): Record<string, string>;
  /** Content type of the page when it is served; default text/html. */
  type?: string;
  /** Options of the print. */
  print?(target: VectorTarget): { displayHeaderFooter: true; headerTemplate: string; footerTemplate: string };
}

/** A vector that is one piece of markup. */
export const markup = (name: string, html: (target: VectorTarget) => string): Vector => ({ name, html });

/** A vector that is one script. */
export const script = (name: string, body: (target: VectorTarget) => string): Vector => ({
  name,
  html: (target) =>
    `<p>x</p><script>try { ${body(target)} } catch (error) { console.log(String(error)) }</script>`,
});
