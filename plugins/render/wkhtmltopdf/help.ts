import { FLAGS, type Flag } from './flags.ts';

const ARGUMENTS = ['', ' <value>', ' <name> <value>'] as const;

function describe([name, flag]: [string, Flag]): string {
  const letter = flag.letter === undefined ? '    ' : `-${flag.letter}, `;
  return `  ${letter}${name}${ARGUMENTS[flag.arguments]}`;
}

function listOf(area: Flag['area']): string {
  return Object.entries(FLAGS)
    .filter(([, flag]) => flag.area === area && flag.isIgnored === undefined)
    .map(describe)
    .join('\n');
}

/** The text of `--help`. */
export const HELP = `Usage: platen wkhtmltopdf [FLAG]... [OBJECT]... <output file>

Prints web pages and local files to one PDF, with the flags of wkhtmltopdf. An object is one of

  [page] <url or file> [FLAG]...    pages with headers and footers
  cover <url or file> [FLAG]...     pages without
  toc [FLAG]...                     a table of contents

Flags before the first object apply to all objects. - is standard input or standard output.

Flags of the document, before all objects:
${listOf('document')}

Flags of pages:
${listOf('page')}

Flags of the table of contents:
${listOf('toc')}

  -V, --version
  -h, --help

docs/wkhtmltopdf.md describes the differences from wkhtmltopdf.`;
