import { expect, test } from 'bun:test';
import type { Phase } from '../../plugins/render/receipt/phase-clock.ts';
import { PHASE_TITLES } from '../../plugins/studio/app/screens/phase-titles.ts';

/** Every phase of a receipt. The type check fails if one is missing. */
const PHASES: Record<Phase, true> = {
  queue: true,
  template: true,
  start: true,
  react: true,
  header: true,
  load: true,
  wait: true,
  print: true,
  assemble: true,
  archive: true,
  tag: true,
  store: true,
};

test('every phase of a receipt has a title in the studio', () => {
  expect(Object.keys(PHASE_TITLES).toSorted()).toEqual(Object.keys(PHASES).toSorted());
});
