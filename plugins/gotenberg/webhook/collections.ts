import type { CollectionSpec } from '../../../src/plugin.ts';
import type { Failure, ResultFile } from './message.ts';

/** A request whose caller got 204, from its acceptance until its receivers have been told. */
export interface WebhookCall {
  id: string;
  accountId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** The path of the route below the root path. */
  path: string;
  trace: string;
  isTest: boolean;
  /** The name that the caller chose for the result; empty if it chose none. */
  outputName: string;
  /** The target and the texts of the form, encrypted: they may contain passwords and signed URLs. */
  sealed: string;
  /** The files of the form, whose contents follow each other in one stored file; `null` without files. */
  inputFileId: string | null;
  inputs: readonly { field: string; name: string; sizeBytes: number }[];
  /** `queued` until the work is done, then `outcome` and `event` for the message that is sent next. */
  step: 'queued' | 'outcome' | 'event';
  /** How often the work was begun. */
  attempts: number;
  /** The stored file that the work made. */
  resultFileId: string | null;
  /** The headers of that file. */
  result: Omit<ResultFile, 'content'> | null;
  /** Set by work that failed, and by a result that could not be delivered. */
  failure: Failure | null;
  /** How often the current message was sent. */
  tries: number;
}

/** The requests whose callers got 204. A record is deleted when its receivers have been told. */
export const webhookCalls: CollectionSpec<WebhookCall> = {
  name: 'gotenberg_webhook_calls',
  indexes: [
    { fields: { createdAt: 'asc' } },
    { fields: { accountId: 'asc', createdAt: 'asc' } },
    { fields: { inputFileId: 'asc' } },
    { fields: { resultFileId: 'asc' } },
  ],
};
