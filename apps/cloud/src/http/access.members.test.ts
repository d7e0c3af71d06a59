import { afterAll, beforeAll } from 'vitest';
import { tryEveryEndpoint } from '../testing/access-matrix.ts';
import { IDENTITIES_ENV } from '../testing/identities.ts';
import { buildAgent, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** Members of the workgroup who may do little. */
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud(IDENTITIES_ENV);
  buildAgent(cloud);
});
afterAll(() => cloud.stop());

tryEveryEndpoint(
  () => cloud,
  [
    'a member who may only read',
    'a member who sees dashboards alone',
    'a member bound to a device group',
    'a member with the role power',
  ],
);
