import { afterAll, beforeAll } from 'vitest';
import { tryEveryEndpoint } from '../testing/access-matrix.ts';
import { IDENTITIES_ENV } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** Whoever is nobody to the server, or is still signing in. */
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud(IDENTITIES_ENV);
});
afterAll(() => cloud.stop());

tryEveryEndpoint(
  () => cloud,
  [
    'nobody',
    'a tampered token',
    'an expired token',
    'a revoked token',
    'a login token',
    'an enrolment token',
    'a display link',
  ],
);
