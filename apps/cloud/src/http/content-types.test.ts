import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

test.each([
  ['auth/saml/metadata/main', 'application/samlmetadata+xml; charset=utf-8'],
  ['version', 'application/json; charset=utf-8'],
  ['nothing/is/here', 'application/json; charset=utf-8'],
  ['tables/main/audit_logs/search', 'application/json; charset=utf-8'],
])('what %s answers says its type and how its characters are written', async (path, type) => {
  expect((await cloud.call('GET', path, { token })).headers.get('content-type')).toBe(type);
});
