/** The honeypot that a vector aims at, and the location of the vector's own files. */
export interface VectorTarget {
  port: number;
  /** `127.0.0.1:port` of the honeypot. */
  at: string;
  /** `http://` + `at`. */
  url: string;
  /** URL of the folder with the vector's own files, on an origin that the guard allows. */
  base: string;
}

/** One way in which a page might reach the network. */
export interface Vector {
  name: string;
  html(target: VectorTarget): string;
  /** Files served next to the page, by name. */
  files?(target: VectorTarget): Record<string, { type: string; body: string }>;
  /** Response headers of the page when it is served. */
  headers?(target: VectorTarget): Record<string, string>;
  /** Content type of the page when it is served; default text/html. */
  type?: string;
  /** Print options. */
  print?(target: VectorTarget): { displayHeaderFooter: true; headerTemplate: string; footerTemplate: string };
}

/** Creates a vector from markup. */
export const markup = (name: string, html: (target: VectorTarget) => string): Vector => ({ name, html });

/** Creates a vector from a script. */
export const script = (name: string, body: (target: VectorTarget) => string): Vector => ({
  name,
  html: (target) =>
    `<p>x</p><script>try { ${body(target)} } catch (error) { console.log(String(error)) }</script>`,
});
