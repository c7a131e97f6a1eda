import { describe } from 'bun:test';
import { onMongoAndS3 } from '../support/suite.ts';
import { roundsOf, testBatchChaos } from './batch-rounds.ts';

describe('batches survive kill -9 at random moments, and no item is lost or made twice:', () => {
  testBatchChaos({ disruption: 'kill', rounds: roundsOf(onMongoAndS3 ? 10 : 24), onMongoAndS3 });
});
