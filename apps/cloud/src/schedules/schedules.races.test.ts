import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { atOnce } from '../testing/at-once.ts';
import { type ControlDevice, connectControl, PATH } from '../testing/control-device.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { newDatabase } from '../testing/two-clouds.ts';

const { ALBEDO_TEST_DATABASE_URL: serverUrl = '' } = process.env;

/** What several people do at the same instant. The embedded database does one transaction after the other and shows none of it. */
describe.runIf(serverUrl)('of two at once', () => {
  let cloud: TestCloud;
  let owner = '';
  let plant: ControlDevice;
  const sql = (text: string) => cloud.cloud.features.postgres.query(text);
  const path = (rest = '') => `schedules/main/device/${plant.id}${rest}`;
  const draft = async (value: string, token = owner): Promise<string> => {
    const entries = [{ datetime: '2026-01-01T00:00:00Z', value }];
    const body = { setpoint: PATH, name: value, entries };
    return (await cloud.call('POST', path(), { token, body })).body._id;
  };
  const policy = (twoPeople: string) =>
    sql(
      `insert into control_policies (workgroup, two_people, changed_by) values ('main', '${twoPeople}', 'x')
       on conflict (workgroup) do update set two_people = excluded.two_people`,
    );
  const settled = () =>
    vi.waitFor(
      async () => expect(await sql("select 1 from device_schedules where state = 'pending'")).toEqual([]),
      { timeout: 15_000 },
    );

  beforeAll(async () => {
    cloud = await startTestCloud({ DATABASE_URL: await newDatabase(serverUrl) });
    owner = await cloud.owner();
    await sql("insert into workgroup_addons (workgroup, id, name) values ('main', 'schedules', '')");
    cloud.cloud.features.workgroups.tellChanged('main');
    plant = await connectControl(cloud);
    await vi.waitFor(() => expect(cloud.cloud.features.health.of(plant.id).online).toBe(true));
    await cloud.cloud.features.schedules.discovery.discover({ workgroup: 'main', device: plant.id });
  }, 60_000);
  afterAll(() => cloud?.stop());

  test('two schedules that are applied: one is sent, the other is refused', async () => {
    await policy('never');
    const [one, other] = [await draft('60%'), await draft('50%')];
    const replies = await atOnce(
      cloud,
      owner,
      'device_schedules',
      ['POST', path(`/${one}`), {}],
      ['POST', path(`/${other}`), {}],
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
    expect(replies[1]?.body.error).toBe('schedule.pending');
    await settled();
    expect(plant.orders.map(({ version }) => version)).toEqual([1]);
  });

  test('the same schedule applied twice is ordered once', async () => {
    const id = await draft('40%');
    const ask = ['POST', path(`/${id}`), {}] as [string, string, object];
    const replies = await atOnce(cloud, owner, 'device_schedules', ask, ask);
    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
    await settled();
    expect(plant.orders.map(({ version }) => version)).toEqual([1, 2]);
  });

  test('two approvals make one order, an edit and an approval never an order of something else', async () => {
    await policy('always');
    const newMember = () =>
      cloud.newUser({ main: { role: 'power', permissions: ['read', 'controlDevices'] } });
    const fresh = async (token: string) => {
      const { sessions } = cloud.cloud.features;
      const confirmedAt = Math.floor(Date.now() / 1000);
      return sessions.renew(await sessions.verify(token), { confirmedAt, confirmedWith: 'password' });
    };
    const zoe = await newMember();
    const [ann, max] = [await fresh(await newMember()), await fresh(await newMember())];
    const id = await draft('30%', zoe);
    await cloud.call('POST', path(`/${id}`), { token: zoe, body: {} });
    const yes = async (of: string) => ({
      decision: 'approved',
      over: (await cloud.call('GET', `schedules/main/device?device=${plant.id}`, { token: owner })).body.find(
        ({ _id }: { _id: string }) => _id === of,
      ).changedAt,
    });
    const seen = await yes(id);
    const replies = await atOnce(
      cloud,
      owner,
      'device_schedules',
      ['PUT', path(`/${id}/approval`), seen, ann],
      ['PUT', path(`/${id}/approval`), seen, max],
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
    await settled();
    expect(plant.orders.map(({ version }) => version)).toEqual([1, 2, 3]);

    const second = await draft('20%', zoe);
    await cloud.call('POST', path(`/${second}`), { token: zoe, body: {} });
    const edited = { setpoint: PATH, entries: [{ datetime: '2026-01-01T00:00:00Z', value: '90%' }] };
    await atOnce(
      cloud,
      owner,
      'device_schedules',
      ['PUT', path(`/${second}`), edited, zoe],
      ['PUT', path(`/${second}/approval`), await yes(second), await fresh(await newMember())],
    );
    await settled();
    for (const { entries } of plant.orders) expect(entries[0]?.value).not.toBe('90%');
    const versions = await sql('select version, count(*)::int as n from schedule_versions group by version');
    for (const { n } of versions) expect(n).toBe(1);
  });
});
