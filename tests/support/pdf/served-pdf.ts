export async function servesPdf(url: string): Promise<boolean> {
  const response = await fetch(url);
  return response.ok && Buffer.from(await response.bytes()).toString('latin1', 0, 5) === '%PDF-';
}
