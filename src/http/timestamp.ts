import { Type } from '@sinclair/typebox';

/** The schema of a time in a response. */
export const Timestamp = Type.String({ title: 'Timestamp', description: 'ISO 8601, UTC, milliseconds.' });
