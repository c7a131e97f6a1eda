/** The maximum length of a file name, without a suffix that makes it unique. */
const MAX_CHARACTERS = 200;
/**
 * Control characters, and characters that change the direction of text. They can make one name look like
 * another.
 */
// oxlint-disable-next-line no-control-regex -- control characters are the subject
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Characters that Windows does not allow in file names. A colon names an alternate data stream. */
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/g;

/** Creates file names that are valid on every system, and unique even if case is ignored. */
export class FileNames {
  readonly #used = new Set<string>();
  readonly #repetitions = new Map<string, number>();

  /**
   * Returns a file name for the name of an attachment: its last segment without unsafe characters, a leading
   * dot, and trailing dots and spaces. A name that is already used gets a suffix such as `-2` before its
   * extension.
   */
  safe(name: string): string {
    const segment = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    const shown = segment.slice(0, MAX_CHARACTERS).toWellFormed().replaceAll(UNSAFE, '_');
    const file = withoutTrailing(shown.replaceAll(FORBIDDEN_ON_WINDOWS, '_')).trimStart();
    return this.#unique(file === '' ? 'attachment' : file.startsWith('.') ? `_${file.slice(1)}` : file);
  }

  #unique(file: string): string {
    const dot = file.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [file.slice(0, dot), file.slice(dot)] : [file, ''];
    const key = file.toLowerCase();
    let times = this.#repetitions.get(key) ?? 1;
    let unique = file;
    while (this.#used.has(unique.toLowerCase())) {
      times++;
      unique = `${stem}-${times}${extension}`;
    }
    this.#repetitions.set(key, times);
    this.#used.add(unique.toLowerCase());
    return unique;
  }
}

/** Removes the dots and spaces at the end of a name, which Windows ignores. */
function withoutTrailing(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1]?.trim() === '')) end--;
  return name.slice(0, end);
}
