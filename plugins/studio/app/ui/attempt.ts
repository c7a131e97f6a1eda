import { useState } from 'preact/hooks';
import { reasonOf } from '../data/api.ts';
import { clearErrors, toast } from './toast.tsx';

/** Runs work and shows an error message if it fails. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  clearErrors();
  try {
    await work();
  } catch (error) {
    toast(reasonOf(error), { kind: 'error' });
  }
}

/** The state of a form whose request takes time. */
export interface Submission {
  isBusy: boolean;
  /** Why the last request failed, or an empty string. */
  error: string;
  setError: (error: string) => void;
  /** Runs the work of the form. If it fails, sets the error. */
  submit: (work: () => Promise<void>) => Promise<void>;
}

/** Returns the state of a form and the function that submits it. */
export function useSubmission(): Submission {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const submit = async (work: () => Promise<void>) => {
    setBusy(true);
    setError('');
    clearErrors();
    try {
      await work();
    } catch (thrown) {
      setError(reasonOf(thrown));
    }
    setBusy(false);
  };
  return { isBusy, error, setError, submit };
}
