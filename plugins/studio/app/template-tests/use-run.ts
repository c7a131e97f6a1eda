import { useEffect, useRef, useState } from 'preact/hooks';
import { isAborted, post, reasonOf, retrying } from '../data/api.ts';
import type { CheckedCase, TemplateCheck } from '../data/types.ts';
import type { Checked } from './targets.ts';

/** How many cases a request checks. Progress is shown after each request. */
const CASES_PER_REQUEST = 5;

/** The state of the checks of a template's cases. */
export interface Run {
  /** The latest result of each case that was checked. */
  results: ReadonlyMap<string, CheckedCase>;
  /** The `key` of the call that made the results. */
  of: string | undefined;
  /** The cases that are still to be checked. */
  waiting: ReadonlySet<string>;
  /** Why the last run ended early, or an empty string. */
  error: string;
  start: (checked: Checked, names: readonly string[], key: string) => Promise<void>;
  stop: () => void;
  /** Replaces the result of a case, or forgets it. */
  set: (name: string, result: CheckedCase | undefined) => void;
}

/** Checks cases, a few with each request. A result of other content than the last run's is not kept. */
export function useRun(template: string): Run {
  const [results, setResults] = useState<ReadonlyMap<string, CheckedCase>>(new Map());
  const [of, setOf] = useState<string>();
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState('');
  const controller = useRef<AbortController>(undefined);
  const stop = () => {
    controller.current?.abort();
    setWaiting(new Set());
  };
  useEffect(() => () => controller.current?.abort(), []);

  const start = async (checked: Checked, names: readonly string[], key: string) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setError('');
    if (of !== key) setResults(new Map());
    setOf(key);
    setWaiting(new Set(names));
    try {
      for (let at = 0; at < names.length; at += CASES_PER_REQUEST) {
        const cases = names.slice(at, at + CASES_PER_REQUEST);
        const body = { ...checked, cases };
        const path = `/v1/templates/${template}/check`;
        const check = await retrying(() => post<TemplateCheck>(path, body, own.signal), own.signal);
        if (own.signal.aborted) return;
        setResults(
          (known) => new Map([...known, ...check.cases.map((found) => [found.name, found] as const)]),
        );
        setWaiting(new Set(names.slice(at + CASES_PER_REQUEST)));
      }
    } catch (thrown) {
      if (own.signal.aborted || isAborted(thrown)) return;
      setError(reasonOf(thrown));
      setWaiting(new Set());
    }
  };

  return {
    results,
    of,
    waiting,
    error,
    start,
    stop,
    set(name, result) {
      setResults((known) => {
        const next = new Map(known);
        if (result) next.set(name, result);
        else next.delete(name);
        return next;
      });
    },
  };
}
