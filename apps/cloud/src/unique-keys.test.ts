import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, atOnce as sent } from './testing/at-once.ts';
import { linkIn, mailsTo } from './testing/outbox.ts';
import { SamlIdp } from './testing/saml-idp.ts';
import { startTestCloud, type TestCloud } from './testing/test-cloud.ts';
import { newDatabase } from './testing/two-clouds.ts';

const { ALBEDO_TEST_DATABASE_URL: serverUrl = '' } = process.env;
const STAFF_DOMAIN = 'provider.example';
const EVERY_DEVICE = { type: 'NOT IN', devices: [] };

/**
 * Two people who write the same key at the same instant. On the embedded database transactions are one after the other,
 * so that only a server shows it.
 */
describe.runIf(serverUrl)('of two requests at once for what exists once', () => {
  let cloud: TestCloud;
  let owner = '';
  let staff = '';

  beforeAll(async () => {
    const DATABASE_URL = await newDatabase(serverUrl);
    cloud = await startTestCloud({ DATABASE_URL, ALBEDO_STAFF_DOMAINS: STAFF_DOMAIN });
    owner = await cloud.owner();
    staff = await cloud.tokenOf(`ann@${STAFF_DOMAIN}`);
  });
  afterAll(() => cloud?.stop());

  const atOnce = (table: string, ...asks: Ask[]) => sent(cloud, owner, table, ...asks);

  async function expectOne(table: string, error: string, ...asks: Ask[]): Promise<void> {
    const [done, refused] = await atOnce(table, ...asks);
    expect(done?.status).toBe(200);
    expect(refused).toMatchObject({ status: 409, body: { error } });
  }

  async function make(path: string, body: object): Promise<string> {
    const reply = await cloud.call('POST', path, { token: owner, body });
    return reply.body._id ?? reply.body.id;
  }

  test('one gets the e-mail address, with the code that was sent to it', async () => {
    const email = 'wanted@example.org';
    const tokens = [
      await cloud.newUser({ main: { role: 'power' } }),
      await cloud.newUser({ main: { role: 'power' } }),
    ];
    const asks: Ask[] = [];
    for (const token of tokens) {
      await cloud.call('POST', 'me/email', { token, body: { email } });
      const code = /Your code is (\d{6})/.exec((await mailsTo(cloud, email)).at(-1)?.text ?? '')?.[1];
      asks.push(['PUT', 'me/email', { code }, token]);
    }
    await expectOne('users', 'account.email_taken', ...asks);
  });

  test.each([
    ['devices', 'devices/main', 'device.name_taken', {}],
    ['device_groups', 'orgs/main/device-groups', 'device_group.name_taken', { composition: EVERY_DEVICE }],
    ['roles', 'roles/main', 'role.name_taken', {}],
  ])('one gets the name in %s, made or changed', async (table, path, error, rest) => {
    const named = (name: string) => ({ name, ...rest });
    await expectOne(table, error, ['POST', path, named('New')], ['POST', path, named('New')]);
    const ids = [await make(path, named('North')), await make(path, named('South'))];
    const renamed = ids.map((id): Ask => ['PUT', `${path}/${id}`, named('East')]);
    await expectOne(table, error, ...renamed);
  });

  test('one gets the name of the workgroup that is asked for', async () => {
    const ask = (email: string) => ({
      name: 'Ann',
      title: 'Engineer',
      company: 'Sun',
      email,
      website: 'sun.example',
      country: 'Germany',
      countryCode: 'DE',
      phone: '1',
      description: 'Roofs',
    });
    for (const email of ['one@example.org', 'two@example.org'])
      expect((await cloud.call('PUT', 'newuser', { body: ask(email) })).status).toBe(200);
    const { body } = await cloud.call('GET', 'opsteam/requests', { token: staff });
    const asks = body.map(
      ({ _id }: { _id: string }): Ask => [
        'POST',
        `opsteam/requests/${_id}/accept`,
        { name: 'sun', displayName: 'Sun' },
        staff,
      ],
    );
    await expectOne('workgroups', 'workgroup.name_taken', ...asks);
  });

  test('workgroups that the staff make have names of their own', async () => {
    const body = { orgDisplay: 'Moon', ownerEmail: 'moon@example.org', plan: '' };
    const ask: Ask = ['POST', 'orgs', body, staff];
    const replies = await atOnce('workgroups', ask, ask);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies.map((reply) => reply.body.name).toSorted()).toEqual(['moon', 'moon-2']);
  });

  test('an address is invited once, and the link of the invitation is good once', async () => {
    const email = 'guest@example.org';
    const invite: Ask = ['POST', 'orgs/main/members', { email, role: 'power' }];
    const replies = await atOnce('invites', invite, invite);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await cloud.call('GET', 'orgs/main/invites', { token: owner });
    expect(body.filter((one: { email: string }) => one.email === email)).toHaveLength(1);

    await cloud.call('POST', `orgs/main/invites/${body[0]._id}/resend`, { token: owner });
    const token = linkIn((await mailsTo(cloud, email)).at(-1), 'invitation/main');
    const accept: Ask = [
      'POST',
      'newuser',
      { orgName: 'main', token, name: 'Guest', password: 'long enough' },
    ];
    const [joined, late] = await atOnce('users', accept, accept);
    expect(joined?.status).toBe(200);
    expect(late).toMatchObject({ status: 404, body: { error: 'invite.invalid' } });
  });

  test('of two identity providers that are set at once the last one is that of the workgroup', async () => {
    const provider = async (name: string): Promise<Ask> => {
      const { metadata } = await SamlIdp.make();
      return ['PUT', 'orgs/main/idp', { provider: { kind: 'saml', name, metadata } }];
    };
    const asks = [await provider('North'), await provider('South')];
    const replies = await atOnce('identity_providers', ...asks);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { postgres } = cloud.cloud.features;
    const [kept] = await postgres.query(
      'select w.idp_id = p.id as "isThat" from workgroups w join identity_providers p on p.workgroup = w.name',
    );
    expect(kept).toEqual({ isThat: true });
  });

  test('a rule of access control is made once', async () => {
    const rule = {
      resourceType: 'DeviceCommand',
      resourceId: 'all',
      actions: ['run'],
      principalType: 'Workgroup_Users',
      principalId: '-',
      effect: 'Allow',
    };
    const ask: Ask = ['POST', 'orgs/main/access-control', rule];
    await expectOne('access_rules', 'access_rule.exists', ask, ask);
  });
});
