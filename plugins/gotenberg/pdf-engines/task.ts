/** The responses of `/v1/pdf/properties` and `/v1/pdf/info` for a file, as JSON. */
interface FileMetadata {
  name: string;
  properties: Uint8Array;
  info: Uint8Array;
}

interface Properties {
  keywords: string[];
  language: string;
  info: Record<string, string>;
}

interface Info {
  pages: number;
  pdf_version: string;
  tagged: boolean;
}

/** Entries of the information dictionary whose tags have other names in ExifTool. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ['CreationDate', 'CreateDate'],
  ['ModDate', 'ModifyDate'],
]);

/**
 * Converts the metadata of files to the JSON of Gotenberg: the tags that ExifTool would read, by the names of
 * the files.
 */
export function presentMetadata({ files }: { files: readonly FileMetadata[] }): Record<string, object> {
  const presented = files.map(({ name, properties, info }) => {
    const { properties: read } = parse(properties) as { properties: Properties };
    const { pages, pdf_version: version, tagged } = parse(info) as Info;
    const tags = new Map<string, unknown>(
      Object.entries({
        FileType: 'PDF',
        FileTypeExtension: 'pdf',
        MIMEType: 'application/pdf',
        PDFVersion: valueOf(version),
        PageCount: pages,
        TaggedPDF: tagged ? 'Yes' : 'No',
        ...(read.language !== '' && { Language: read.language }),
      }),
    );
    for (const [entry, text] of Object.entries(read.info)) {
      const value = entry === 'Keywords' ? listOf(read.keywords) : valueOf(text);
      tags.set(TAGS.get(entry) ?? entry, value);
      // The tag of XMP has the name of the entry, and Gotenberg's callers write that one.
      if (entry === 'ModDate') tags.set(entry, value);
    }
    return [name, Object.fromEntries(tags)] as const;
  });
  return Object.fromEntries(presented);
}

/** A response of `/v1/pdf/outline` for a file, as JSON. */
interface FileOutline {
  name: string;
  outline: Uint8Array;
}

interface OutlineItem {
  title: string;
  page: number | null;
  children?: OutlineItem[];
}

/** Converts the outlines of files to the JSON of Gotenberg, by the names of the files. */
export function presentBookmarks({ files }: { files: readonly FileOutline[] }): Record<string, object> {
  const presented = files.map(({ name, outline }) => [name, readOutline(outline).map(present)] as const);
  return Object.fromEntries(presented);
}

/** A file that is merged, for the outline of the result. */
interface MergedFile {
  /** The title of its own item; absent if it has none. */
  title?: string | undefined;
  /** The new outline of the file; absent to keep its own. */
  bookmarks?: readonly unknown[] | undefined;
  outline: Uint8Array;
  pages: number;
}

/** Joins the outlines of merged files. Each begins at the first page of its file. */
export function joinOutlines({ files }: { files: readonly MergedFile[] }): unknown[] {
  let offset = 0;
  return files.flatMap(({ title, bookmarks, outline, pages }) => {
    const items = bookmarks ?? readOutline(outline).map(present);
    const shifted = items.map((item) => shift(item, offset));
    const own = title === undefined ? shifted : [withChildren({ title, page: offset + 1 }, shifted)];
    offset += pages;
    return own;
  });
}

function shift(item: unknown, offset: number): object {
  const { page, children, ...others } = item as { page: number; children?: unknown[] };
  // An item without a page leads to the beginning of its file.
  return withChildren(
    { ...others, page: Math.max(1, page) + offset },
    (children ?? []).map((child) => shift(child, offset)),
  );
}

function withChildren(item: object, children: readonly unknown[]): object {
  return children.length === 0 ? item : { ...item, children };
}

/** Items that lead to no page have the page 0 in Gotenberg. */
function present({ title, page, children }: OutlineItem): object {
  return withChildren({ title, page: page ?? 0 }, (children ?? []).map(present));
}

function readOutline(outline: Uint8Array): OutlineItem[] {
  return (parse(outline) as { outline: OutlineItem[] }).outline;
}

function listOf(texts: readonly string[]): unknown {
  const values = texts.map(valueOf);
  return values.length === 1 ? values[0] : values;
}

const DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?'?)?/;

/** Converts a text as ExifTool does: dates have its syntax, and numbers and booleans are those of JSON. */
function valueOf(text: string): unknown {
  const [
    whole,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    z,
    sign,
    hours,
    minutes,
  ] = DATE.exec(text) ?? [];
  if (whole !== undefined) {
    const zone = sign === undefined ? (z ?? '') : `${sign}${hours}:${minutes ?? '00'}`;
    return `${year}:${month}:${day} ${hour}:${minute}:${second}${zone}`;
  }
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,16})?$/.test(text) ? Number(text) : text;
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString('utf8'));
}
