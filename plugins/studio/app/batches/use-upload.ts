import { useEffect, useRef, useState } from 'preact/hooks';
import { isAborted, reasonOf } from '../data/api.ts';
import { forget, remember } from '../data/resource.ts';
import { navigate } from '../router.ts';
import { toast } from '../ui/toast.tsx';
import { invalidRecordsKey } from './faults.tsx';
import type { Format } from './records/source.ts';
import { InvalidRecordsError, sendBatch, sentenceOf, type Sending } from './send-batch.ts';

/** A batch to send. Another batch is another object. */
export type BatchRequest = Pick<Sending, 'prepared' | 'settings'> & { format: Format };

/** The upload of a batch. */
export interface Upload {
  /** How much was sent, from 0 to 1; `undefined` before and after the upload. */
  share: number | undefined;
  /** Why the last upload of the same request failed, or an empty text. */
  error: string;
  /** The records that the service refused, as sentences. */
  refused: readonly string[];
  start: () => Promise<void>;
  stop: () => void;
}

/** The names of the fields in the messages of errors. */
const SUBJECTS = { file: 'The data', file_name: 'The template of the file names:', webhook: 'The webhook' };

/** Returns the upload of a batch. When it was accepted, closes the dialog and shows the batch. */
export function useUpload(request: BatchRequest | undefined, onClose: () => void): Upload {
  const [share, setShare] = useState<number>();
  const [problem, setProblem] = useState<{ of: BatchRequest; error: string; refused: string[] }>();
  const key = useRef<{ of: BatchRequest; value: string }>(undefined);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async () => {
    if (!request) return;
    const describe = (faults: InvalidRecordsError['faults']) =>
      faults.map((fault) => sentenceOf(request.format, fault));
    // A repeated request has the same key, so that the batch is made once.
    if (key.current?.of !== request) key.current = { of: request, value: newKey() };
    controller.current = new AbortController();
    const { signal } = controller.current;
    setProblem(undefined);
    setShare(0);
    try {
      const sending = { ...request, key: key.current.value, signal, onProgress: setShare };
      const { id, faults } = await sendBatch(sending);
      // The service names the invalid records only in this response.
      remember(invalidRecordsKey(id), describe(faults));
      forget('generations');
      forget('batches');
      toast('The batch was started.');
      onClose();
      navigate(`/studio/batches/${id}`);
    } catch (thrown) {
      setShare(undefined);
      if (isAborted(thrown)) return;
      const error = reasonOf(thrown, SUBJECTS);
      const refused = thrown instanceof InvalidRecordsError ? describe(thrown.faults) : [];
      setProblem({ of: request, error, refused });
    }
  };
  // A change of the request removes the problem of the last one.
  const { error = '', refused = [] } = problem && problem.of === request ? problem : {};
  return { share, error, refused, start, stop: () => controller.current?.abort() };
}

/** Returns a random key. `crypto.randomUUID` is missing in pages without HTTPS. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
