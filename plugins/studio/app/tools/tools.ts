import { archive, validate } from './archive-tools.tsx';
import { compress, flatten, watermark } from './content-tools.tsx';
import type { ServiceInfo } from '../data/types.ts';
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

/** Tools under a heading. */
interface ToolGroup {
  label: string;
  tools: (Tool | ToolEntry)[];
}

/** The tools, in groups. */
const toolGroups: ToolGroup[] = [
  { label: 'Pages', tools: [merge, split, arrange, number] },
  { label: 'Content', tools: [fill, watermark, flatten, compress] },
  { label: 'Signatures', tools: [sign, verify] },
  { label: 'Protection', tools: [protect] },
  { label: 'Archive', tools: [archive, validate] },
];

/** Returns the tools that a service offers, in groups. */
export function toolGroupsOf(service: ServiceInfo): ToolGroup[] {
  return toolGroups
    .map(({ label, tools }) => ({
      label,
      tools: tools.filter(({ isOffered }) => isOffered?.(service) ?? true),
    }))
    .filter(({ tools }) => tools.length > 0);
}

/** Returns the tool at an address, also one that the service does not offer. */
export function findTool(slug: string): Tool | ToolEntry | undefined {
  return toolGroups.flatMap(({ tools }) => tools).find((tool) => tool.slug === slug);
}
