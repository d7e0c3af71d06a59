import { device } from '@albedo/contract/devices/devices.schema';
import { metadataPlan, metadataRow } from '@albedo/contract/metadata/metadata.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

let names = 0;
async function newDevice(info: Record<string, string> = {}): Promise<{ id: string; name: string }> {
  const name = `Bulk ${++names}`;
  const { body } = await cloud.call('POST', 'devices/main', { token, body: { name } });
  const { id } = device.parse(body);
  await cloud.call('PUT', `devices/main/${id}/settings/info`, { token, body: { value: info } });
  return { id, name };
}
const infoOf = async (id: string) =>
  device.parse((await cloud.call('GET', `devices/main/${id}`, { token })).body).settings.info;
const define = (key: 'deviceInfoKeys' | 'sourceInfoKeys', value: string[]) =>
  cloud.call('PUT', `orgs/main/settings/${key}`, { token, body: { value } });
const send = (path: 'preview' | 'import', level: string, columns: string[], rows: string[][], as = token) =>
  cloud.call('POST', `metadata/main/${path}`, {
    token: as,
    body: { level, columns, rows: rows.map((cells, i) => ({ row: i + 2, cells })) },
  });

test('a file changes devices by id and by name, after a preview that says what it will do', async () => {
  const [a, b, c] = [await newDevice({ Site: 'Hill', Rare: 'kept' }), await newDevice(), await newDevice()];
  await define('deviceInfoKeys', ['Site', 'Contact']);
  const rows = [
    [a.id, 'not its name', 'Dale', ''],
    ['', b.name, 'Lake', 'Ida'],
    [c.id, '', '', ''],
  ];
  const columns = ['id', 'name', 'Site', 'Contact'];
  const plan = metadataPlan.parse((await send('preview', 'device', columns, rows)).body);
  expect(plan).toMatchObject({ rows: 3, changed: 2, values: 3, faults: [] });
  expect(plan.changes[0]).toEqual({ ...a, source: '', field: 'Site', before: 'Hill', after: 'Dale' });
  expect(await infoOf(a.id)).toEqual({ Site: 'Hill', Rare: 'kept' });
  expect((await send('import', 'device', columns, rows)).status).toBe(200);
  expect(await infoOf(a.id)).toEqual({ Site: 'Dale', Rare: 'kept' });
  expect(await infoOf(b.id)).toEqual({ Site: 'Lake', Contact: 'Ida' });
  const log = (await auditOf(cloud, 'main')).filter(({ device: of }) => of === b.id);
  expect(log.at(-1)).toMatchObject({ attribute: 'info', new_value: '{"Site":"Lake","Contact":"Ida"}' });
});

test('a field whose title a spreadsheet would take for a formula comes back in; titles of rows are no fields', async () => {
  const a = await newDevice();
  await define('deviceInfoKeys', ['@contact', '-x']);
  const columns = ['id', "'@contact", "'-x"];
  expect((await send('import', 'device', columns, [[a.id, "'+49 1", 'low']])).status).toBe(200);
  expect(await infoOf(a.id)).toEqual({ '@contact': '+49 1', '-x': 'low' });
  for (const name of ['id', 'name', 'source']) {
    expect((await define('deviceInfoKeys', ['Site', name])).status).toBe(400);
    const rename = { level: 'device', name: '-x', to: name };
    expect((await cloud.call('PUT', 'metadata/main/field', { token, body: rename })).status).toBe(400);
  }
});

test('a file with one fault changes nothing, and each fault names its row', async () => {
  const a = await newDevice({ Site: 'Hill' });
  await define('deviceInfoKeys', ['Site', 'Timezone']);
  const undefinedField = await send('import', 'device', ['id', 'Owner'], [[a.id, 'Ida']]);
  expect(undefinedField).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'rows.1', message: 'Define the field Owner first.' }] },
  });
  const rows = [
    [a.id, 'Dale', ''],
    [a.name, 'Lake', ''],
    ['Nobody', 'Sea', ''],
    [(await newDevice()).id, 'x'.repeat(501), 'Mars/Phobos'],
  ];
  const refused = await send('import', 'device', ['id', 'Site', 'Timezone'], rows);
  expect(refused.body.issues.map(({ path, issue }: z.infer<typeof told>) => [path, issue])).toEqual([
    ['rows.3', 'issue.metadata_device'],
    ['rows.4', 'issue.metadata_device'],
    ['rows.5', 'issue.metadata_long'],
    ['rows.5', 'issue.zone_unknown'],
  ]);
  expect(await infoOf(a.id)).toEqual({ Site: 'Hill' });
  const twice = await send(
    'preview',
    'device',
    ['id', 'name'],
    [
      [a.id, ''],
      ['', a.name],
    ],
  );
  expect(twice.body.faults).toMatchObject([
    { row: 3, issue: 'issue.metadata_twice', facts: { earlier: '2' } },
  ]);
});
const told = z.object({ path: z.string(), issue: z.string() });

test('sources are matched by device and name, and their rows can be read back', async () => {
  const a = await newDevice();
  await define('sourceInfoKeys', ['kWp', 'Model']);
  const columns = ['name', 'source', 'kWp', 'Model'];
  const rows = [
    [a.name, 'inverter/1', '61.6', ''],
    [a.name, 'inverter/2', '', "'-X1"],
  ];
  expect((await send('preview', 'source', ['name', 'kWp'], [])).body.faults).toMatchObject([
    { issue: 'issue.metadata_source_column' },
  ]);
  expect((await send('import', 'source', columns, rows)).body).toMatchObject({ changed: 2, values: 2 });
  const { body } = await cloud.call('GET', 'metadata/main?level=source', { token });
  expect(
    z
      .array(metadataRow)
      .parse(body)
      .filter(({ id }) => id === a.id),
  ).toEqual([
    { ...a, source: 'inverter/1', info: { kWp: '61.6' } },
    { ...a, source: 'inverter/2', info: { Model: '-X1' } },
  ]);
});

test('the preview says which devices a group gains and loses, and its members hear of them once it is applied', async () => {
  const [a, b] = [await newDevice({ Region: 'North' }), await newDevice({ Region: 'South' })];
  await define('deviceInfoKeys', ['Region']);
  const composition = { type: 'META', field: 'Region', operator: '=', value: 'North' };
  const made = await cloud.call('POST', 'orgs/main/device-groups', {
    token,
    body: { name: 'North', composition },
  });
  const member = await cloud.newUser({
    main: { role: 'admin', permissions: ['read', 'manageDevices'], devGroup: made.body._id },
  });
  const rows = [
    [a.id, 'South'],
    [b.id, 'North'],
  ];
  const preview = await send('preview', 'device', ['id', 'Region'], rows);
  expect(preview.body.moves).toEqual([
    { group: 'North', gains: { count: 1, names: [b.name] }, loses: { count: 1, names: [a.name] } },
  ]);
  expect((await send('import', 'device', ['id', 'Region'], rows, member)).body.error).toBe(
    'device_group.bound',
  );
  const closed = await cloud.call('PUT', `devices/main/${a.id}/settings/info`, {
    token: member,
    body: { value: { Region: 'East' } },
  });
  expect(closed.body.error).toBe('device_group.decides');
  const { socket } = await new BrowserSocket(cloud, { token: member, orgName: 'main' }).connected();
  const heard = Promise.all(
    (['device:new', 'device:removed'] as const).map(
      (event) => new Promise<{ id?: string; deviceId?: string }>((done) => socket.once(event, done)),
    ),
  );
  await send('import', 'device', ['id', 'Region'], rows);
  expect((await heard).map(({ id, deviceId }) => id ?? deviceId)).toEqual([b.id, a.id]);
  socket.close();
  const { body } = await cloud.call('GET', 'metadata/main?level=device', { token: member });
  expect(
    z
      .array(metadataRow)
      .parse(body)
      .map(({ id }) => id),
  ).toEqual([b.id]);
});

test('a field that is renamed takes its values along, unless the name is taken or groups depend on it', async () => {
  const [a, b] = [await newDevice({ Contact: 'Ida', Notes: 'x' }), await newDevice({ Notes: 'y' })];
  await define('deviceInfoKeys', ['Contact', 'Notes']);
  const rename = (name: string, to: string, level = 'device') =>
    cloud.call('PUT', 'metadata/main/field', { token, body: { level, name, to } });
  expect((await rename('Contact', 'Notes')).body.error).toBe('metadata.field_taken');
  expect((await rename('Nowhere', 'There')).body.error).toBe('metadata.field_unknown');
  expect((await rename('Region', 'Area')).body.error).toBe('metadata.field_decides');
  expect((await rename('Contact', 'Site contact')).status).toBe(200);
  expect(await infoOf(a.id)).toEqual({ 'Site contact': 'Ida', Notes: 'x' });
  expect(await infoOf(b.id)).toEqual({ Notes: 'y' });
  const { body } = await cloud.call('GET', 'orgs/main/settings', { token });
  expect(body.deviceInfoKeys).toEqual(['Site contact', 'Notes']);
  const log = await auditOf(cloud, 'main');
  expect(log.find(({ attribute }) => attribute === 'field of device metadata')).toMatchObject({
    old_value: 'Contact',
    new_value: 'Site contact',
  });
  await define('sourceInfoKeys', ['kWp', 'Peak']);
  await send('import', 'source', ['id', 'source', 'kWp'], [[a.id, 'meter', '5']]);
  expect((await rename('kWp', 'Power', 'source')).body).toEqual({ changed: 2 });
});
