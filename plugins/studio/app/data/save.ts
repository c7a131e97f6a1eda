/** Saves content as a download with a file name. */
export function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the content some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
