/**
 * Reads the data of the events of a stream (WHATWG HTML 9.2.6) that has been received whole. An event that the end cut off is not among them.
 */
export function readEvents(text: string): string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of text.replace(/^\u{feff}/u, '').split(/\r\n|\r|\n/)) {
    if (line === '') {
      if (data.length > 0) events.push(data.join('\n'));
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return events;
}
