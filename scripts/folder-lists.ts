/**
 * Creates the lists of the things that have a file or a folder each: the PDF operations, and the tools of the
 * studio. `npm run openapi` writes them.
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const OPERATIONS = 'plugins/pdf-tools/operations';
const TOOLS = 'plugins/studio/app/tools/entries';

/** Returns the texts of the lists by their paths. */
export function folderLists(): Record<string, string> {
  return {
    [`${OPERATIONS}/index.ts`]: listOf({
      files: namesIn(OPERATIONS).map((folder) => `${folder}/route.ts`),
      folder: OPERATIONS,
      declaration: /^export function (\w+)\(/gm,
      type: "import type { Operation } from '../operation.ts';",
      head: '/** All operations, in the order of their folders. */\nexport const operations: readonly Operation[] =',
    }),
    [`${TOOLS}/index.ts`]: listOf({
      files: namesIn(TOOLS),
      folder: TOOLS,
      declaration: /^export const (\w+): Tool(?:Entry)? =/gm,
      type: "import type { Tool, ToolEntry } from '../operation.ts';",
      head: '/** All tools, in the order of their files. */\nexport const entries: readonly (Tool | ToolEntry)[] =',
    }),
  };
}

function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name !== 'index.ts' && !name.startsWith('.'))
    .toSorted();
}

interface List {
  folder: string;
  /** Paths in the folder. Each file has at least one member of the list. */
  files: readonly string[];
  /** Finds the names of the members in a file. */
  declaration: RegExp;
  /** The import of the types of the members. */
  type: string;
  /** The list up to its members. */
  head: string;
}

function listOf({ folder, files, declaration, type, head }: List): string {
  const members = files.map((file) => {
    const text = readFileSync(join(root, folder, file), 'utf8');
    const names = [...text.matchAll(declaration)].map(([, name = '']) => name);
    if (names.length === 0) throw new Error(`${folder}/${file} exports no member of ${folder}/index.ts`);
    return { file, names };
  });
  const imports = members.map(({ file, names }) => `import { ${names.join(', ')} } from './${file}';`);
  const lines = members.flatMap(({ names }) => names.map((name) => `  ${name},`));
  return `// Written by \`npm run openapi\`.\n\n${[type, ...imports].join('\n')}\n\n${head} [\n${lines.join('\n')}\n];\n`;
}
