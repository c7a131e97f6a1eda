import { describe } from 'bun:test';
import { onMongoAndS3 } from '../support/suite.ts';
import { roundsOf, testBatchChaos } from './batch-rounds.ts';

describe('batches survive a suspension that outlasts the leases, and no item is lost or made twice:', () => {
  testBatchChaos({ disruption: 'hang', rounds: roundsOf(6), onMongoAndS3 });
});
