const MAX_LENGTH = 500;

/** Thrown for a component that cannot be rendered because of what its author wrote; the message is one bounded line. */
export class SourceFault extends Error {
  override name = 'SourceFault';

  constructor(message: string) {
    const line = message
      .slice(0, 4 * MAX_LENGTH)
      .replace(/\s+/g, ' ')
      .trim();
    super(line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line);
  }
}
