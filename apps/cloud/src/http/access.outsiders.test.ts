import { afterAll, beforeAll } from 'vitest';
import { tryEveryEndpoint } from '../testing/access-matrix.ts';
import { IDENTITIES_ENV } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** Whoever is signed in and no member of the workgroup: the staff, and people of other workgroups. */
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud(IDENTITIES_ENV);
});
afterAll(() => cloud.stop());

tryEveryEndpoint(
  () => cloud,
  [
    'provider staff',
    'an addon manager',
    'somebody outside the staff who is named as an addon manager',
    'an owner whom the identity provider of another workgroup signed in',
    'an owner of another workgroup',
  ],
);
