import type { ServiceInfo } from '../data/types.ts';
import { entries } from './entries/index.ts';
import { TOOL_GROUPS, type Tool, type ToolEntry, type ToolGroup } from './operation.ts';

/** Returns the tools that a service offers, in groups. */
export function toolGroupsOf(service: ServiceInfo): { label: ToolGroup; tools: (Tool | ToolEntry)[] }[] {
  return TOOL_GROUPS.map((label) => ({
    label,
    tools: entries
      .filter(({ group, isOffered }) => group === label && (isOffered?.(service) ?? true))
      .toSorted((one, other) => one.order - other.order),
  })).filter(({ tools }) => tools.length > 0);
}

/** Returns all tools, including those that a service does not offer. */
export function allTools(): readonly (Tool | ToolEntry)[] {
  return entries;
}

/** Returns the tool with a slug, even if the service does not offer the tool. */
export function findTool(slug: string): Tool | ToolEntry | undefined {
  return entries.find((tool) => tool.slug === slug);
}
