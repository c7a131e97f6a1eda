import { archive, validate } from './archive-tools.tsx';
import { compress, flatten, watermark } from './content-tools.tsx';
import type { Tool, ToolEntry } from './operation.ts';
import { arrange, merge, number, split } from './page-tools.tsx';
import { protect } from './protect-tool.tsx';
import { sign } from './sign-tool.tsx';
import { verify } from './verify-tool.tsx';

/** The entry of the form view, which shows the fields of its file. */
const fill: ToolEntry = {
  slug: 'fill',
  name: 'Fill a form',
  text: 'List the fields of a form, fill them in, and flatten it if you like.',
  icon: 'form',
  isOffered: ({ plugins }) => plugins.includes('forms'),
};

/** The tools, in groups. */
export const toolGroups: { label: string; tools: (Tool | ToolEntry)[] }[] = [
  { label: 'Pages', tools: [merge, split, arrange, number] },
  { label: 'Content', tools: [fill, watermark, flatten, compress] },
  { label: 'Signatures and protection', tools: [sign, verify, protect] },
  { label: 'Archive', tools: [archive, validate] },
];
