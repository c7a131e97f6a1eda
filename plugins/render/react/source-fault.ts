const MAX_LENGTH = 500;

/**
 * Thrown when a component cannot be rendered because of an error in it. The message is one line of limited
 * length.
 */
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
