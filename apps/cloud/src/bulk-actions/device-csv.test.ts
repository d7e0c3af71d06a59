import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
}, 60_000);
afterAll(() => cloud.stop());

const put = async (csv: string, isDryRun = false, by = token) =>
  cloud.call('POST', 'bulk-actions/main/devices.csv', { token: by, body: { csv, isDryRun } });
const outcomes = async (csv: string, isDryRun = false): Promise<string[]> =>
  (await put(csv, isDryRun)).body.map(({ outcome }: { outcome: string }) => outcome);
const get = async (by = token) =>
  (await cloud.call('GET', 'bulk-actions/main/devices.csv', { token: by })).body;

test('devices come in as CSV, go out, are changed in a spreadsheet, and come in again', async () => {
  const csv = 'name,arch,Site,Note\r\nRoof,arm64,"Hill, north",=1+1\r\nBarn,,Valley,\r\n';
  expect(await outcomes(csv, true)).toEqual(['new', 'new']);
  expect(cloud.cloud.features.registry.inWorkgroup('main')).toEqual([]);
  expect(await outcomes(csv)).toEqual(['new', 'new']);
  const [barn, roof] = cloud.cloud.features.registry.inWorkgroup('main');
  expect(barn).toMatchObject({ name: 'Barn', info: { Site: 'Valley' } });
  expect(roof?.info).toEqual({ Site: 'Hill, north', Note: '=1+1' });
  const out = await get();
  // A spreadsheet does not calculate what somebody wrote into the metadata.
  expect(out).toContain(`${roof?.id},Roof,`);
  expect(out).toContain("'=1+1");
  expect(await outcomes(out)).toEqual(['same', 'same']);
  expect(await outcomes(out.replace(',Barn,', ',Stable,').replace('Valley', 'Hill'))).toEqual([
    'changed',
    'same',
  ]);
  expect(cloud.cloud.features.registry.known(barn?.id ?? '')).toMatchObject({
    name: 'Stable',
    info: { Site: 'Hill' },
  });
});

test('lines that cannot be meant are named, and the others are done', async () => {
  const csv = [
    'id,name,arch,Site',
    `${crypto.randomUUID()},Nobody,,x`,
    ',Roof,sparc,x',
    ',New,amd64,x',
    ',New,amd64,y',
    ',,,x',
  ].join('\n');
  expect(await outcomes(csv)).toEqual(['wrong', 'wrong', 'new', 'wrong', 'wrong']);
  expect((await put('Site\nx')).status).toBe(400);
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect((await put(csv, true, reader)).status).toBe(403);
});

test('lines that end otherwise than those before them are lines; one with cells to spare or a stray quotation mark is named', async () => {
  expect(await outcomes('name,Site\r\nOne,a\r\nTwo,b\nThree,c\n', true)).toEqual(['new', 'new', 'new']);
  expect((await put('name,name\nOne,Two\n', true)).body).toMatchObject([{ name: 'One', outcome: 'new' }]);
  expect(await outcomes('name;Site\rOne;Hill, north\r', true)).toEqual(['new']);
  const csv = 'name,Site\nOne,Hill, north\n\nTwo,"a"b\nThree,c\n';
  const { body } = await put(csv, true);
  expect(body).toMatchObject([
    { line: 2, outcome: 'wrong', message: expect.stringContaining('more cells than there are columns') },
    { line: 4, outcome: 'wrong', message: expect.stringContaining('quotation marks') },
    // Nobody knows where that cell ends.
    { line: 5, outcome: 'wrong' },
  ]);
  expect((await put('name,Site\nOne,a\nTwo,"b\nThree,c\n', true)).body).toMatchObject([
    { name: 'One', outcome: 'new' },
    { line: 4, outcome: 'wrong' },
  ]);
});
