import { get } from './api.ts';
import { useResource, type Resource } from './resource.ts';

/** A type of events, such as `batch.completed`, and what its events tell. */
export interface EventType {
  type: string;
  summary: string;
}

/** The types of events about the same kind of record. */
export interface EventGroup {
  /** The selector that selects all of them, such as `generation.*`. */
  selector: string;
  label: string;
  types: EventType[];
}

/** The part of the description of the API that lists the types. */
interface ApiDescription {
  webhooks?: Record<string, { post: { summary: string } }>;
}

const WILDCARD = '.*';

let groups: Promise<EventGroup[]> | undefined;

/**
 * Returns the types of events that the service knows, those of its plugins included. They are read once from
 * the description of the API, which is large.
 */
export function useEventGroups(): Resource<EventGroup[]> {
  return useResource('event types', () => {
    groups ??= get<ApiDescription>('/openapi.json').then(
      ({ webhooks = {} }) =>
        groupsOf(Object.entries(webhooks).map(([type, { post }]) => ({ type, summary: post.summary }))),
      (error: unknown) => {
        groups = undefined;
        throw error;
      },
    );
    return groups;
  });
}

/** Groups types by their nouns, in their order. */
export function groupsOf(types: readonly EventType[]): EventGroup[] {
  const found = new Map<string, EventGroup>();
  for (const entry of types) {
    const noun = entry.type.split('.')[0] ?? '';
    const selector = `${noun}${WILDCARD}`;
    const group = found.get(noun) ?? {
      selector,
      label: `All ${noun.replaceAll('_', ' ')} events`,
      types: [],
    };
    group.types.push(entry);
    found.set(noun, group);
  }
  return [...found.values()];
}

/** Tells whether a selector (a type, or a pattern such as `generation.*`) selects a type. */
export function selects(selector: string, type: string): boolean {
  return selector.endsWith(WILDCARD) ? type.startsWith(selector.slice(0, -1)) : selector === type;
}

/** Returns selectors with another one, which replaces those that it includes, or without it. */
export function withSelector(selectors: readonly string[], selector: string, isOn: boolean): string[] {
  const others = selectors.filter((each) => each !== selector && !(isOn && selects(selector, each)));
  return isOn ? [...others, selector] : others;
}

/** Returns the selectors that select no type, because their plugin is off. */
export function unknownSelectors(selectors: readonly string[], known: readonly EventGroup[]): string[] {
  const types = known.flatMap((group) => group.types);
  return selectors.filter((selector) => !types.some(({ type }) => selects(selector, type)));
}
