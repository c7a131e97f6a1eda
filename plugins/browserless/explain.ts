import { AppError } from '../../src/plugin.ts';

/** The options of browserless, by the options of the render plugin to which they are converted. */
const OPTIONS: Readonly<Record<string, string>> = {
  'page.paperIn': 'options.width',
  'page.marginsIn': 'options.margin',
  'page.nativePageRanges': 'options.pageRanges',
  'options.transparent': 'options.omitBackground',
  'options.selector': 'selector',
  'options.format': 'options.type',
  'options.header': 'options.headerTemplate',
  'options.footer': 'options.footerTemplate',
};

const SCRIPT_PATH = 'options.waitFor.expression';
const SCRIPT_RESULT = ' has no result: ';

/** Gives an error the names of browserless' options. Returns other errors unchanged. */
export function explain(error: unknown): unknown {
  if (!(error instanceof AppError) || error.details.length === 0) return error;
  const details = error.details.map((detail) => ({
    ...detail,
    path: OPTIONS[detail.path] ?? detail.path,
    message: messageOf(detail),
  }));
  const [{ message, code } = { message: error.message, code: undefined }] = details;
  const text = code === 'RENDER_TIMEOUT' ? 'Request has timed out' : message;
  return new AppError(error.code, code === undefined ? error.message : text, { details, cause: error });
}

/** Returns the message of a fault; for one in the script of the request, only the error that it threw. */
function messageOf({ path, message }: { path: string; message: string }): string {
  if (path !== SCRIPT_PATH) return message;
  const at = message.indexOf(SCRIPT_RESULT);
  return at < 0 ? message : message.slice(at + SCRIPT_RESULT.length).replace(/^Error: /, '');
}
