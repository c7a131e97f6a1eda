import type { Tool } from '../operation.ts';

/** Adds a document timestamp. */
export const timestamp: Tool = {
  slug: 'timestamp',
  name: 'Add a timestamp',
  text: 'Let the timestamp authority of this server confirm that a file existed at this time.',
  icon: 'history',
  group: 'Signatures',
  order: 3,
  action: 'Add the timestamp',
  suffix: 'timestamped',
  isOffered: ({ has_timestamps: hasTimestamps }) => hasTimestamps,
  initial: {},
  request: (_, [file]) => ({ path: '/v1/pdf/timestamp', body: { pdf: file?.id } }),
};
