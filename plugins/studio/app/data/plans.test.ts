import { expect, test } from 'bun:test';
import { NewAccountBody } from '../../schemas.ts';
import { PLANS } from './plans.ts';

test('the studio offers the plans of the service', () => {
  expect(NewAccountBody.properties.plan.anyOf.map((plan) => plan['const'])).toEqual([...PLANS]);
});
