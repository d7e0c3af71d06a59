/** A working day: everything that people do to devices from the cloud is in the audit log, with who, what, and which device. */
import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import { expect, test } from 'vitest';
import { buildAgent, OWNER } from '../apps/cloud/src/testing/test-cloud.ts';
import { confirmed } from './harness/confirmed.ts';
import { agent, ask, cloud, token, withDevice } from './harness/owners-device.ts';

withDevice('Hilltop', buildAgent);

async function call(method: string, path: string, body?: unknown, by = token) {
  const reply = await cloud.call(method, path, { token: by, ...(body === undefined ? {} : { body }) });
  expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBe(200);
  return reply.body;
}

async function done(action: string, request: object): Promise<void> {
  expect((await ask(action, request)).error, action).toBeUndefined();
}

test('each of a day’s works on devices is in the audit log with who did it, from where, and to which device', async () => {
  const { id } = agent.device;
  const on = `devices/main/${id}`;
  const spare = (await call('POST', 'devices/main', { name: 'Spare' })).id as string;
  const other = `devices/main/${spare}`;

  await call('PUT', on, { name: 'Hilltop 2' });
  await call('PUT', `${on}/settings/info`, { value: { Site: 'Hill' } });
  await done('device:cmd', { cmd: 'echo day' });
  const saved = await call('POST', `${on}/commands`, { name: 'Say', command: 'echo saved' });
  await call('POST', `devices/main/device/commands/${saved._id}/run`, { devices: [id] });
  await call('DELETE', `${on}/commands/${saved._id}`);
  const shell = await call('POST', `${on}/shells`, undefined, await confirmed(cloud, 0));
  const { tunnel } = await call(
    'POST',
    `${on}/tunnels`,
    { kind: 'tcp', host: '127.0.0.1', port: 5020 },
    await confirmed(cloud, -1),
  );
  await call('DELETE', `${on}/tunnels/${tunnel.id}`);
  await call('GET', `${on}/folders?path=/etc`, undefined, await confirmed(cloud, -2));
  await call('GET', `${on}/files?path=/etc/hostname`);
  const form = new FormData();
  form.set('folder', agent.root);
  form.set('file', new Blob(['hello']), 'hello.txt');
  await call('PUT', `${on}/files`, form);
  const { text, hash } = await call('GET', `${on}/config`);
  await done('device:applyConfig', { config: `${text}# looked at\n`, over: hash });
  await call('PUT', `${on}/twin`, { text: `${text}# wanted\n` });
  const backup = await call('POST', `${on}/backups`);
  await call('POST', `${on}/backups/${backup.id}/restore`, undefined, await confirmed(cloud, -3));
  await call('POST', `${on}/openServices`);
  const look = { discoveryTool: 'modbus', targets: '127.0.0.1', port: 1, units: '1' };
  expect(await call('POST', `${on}/modbus`, look)).toEqual({ discoveryTool: 'modbus', found: [] });
  expect(await call('POST', `${on}/discovery`, look)).toEqual({ discoveryTool: 'modbus', found: [] });
  expect(await call('GET', `${on}/arpscan`)).toBeNull();
  await done('device:sendArdpkg', {});
  // What was tried in vain is there too.
  await cloud.call('DELETE', `${on}/plugins/nothing`, { token });
  const bulk = await call('POST', 'bulk-actions/main/labels', { labels: { Site: 'Dale' }, devices: [id] });
  await call('POST', 'orgs/main/device-groups', {
    name: 'North',
    composition: { type: 'IN', devices: [id] },
  });
  await call('POST', `${on}/reissue`, { action: 'replace' });
  await call('POST', `${other}/reissue`, { action: 'certpack' });
  await call('POST', `${other}/revoke`);
  await call('DELETE', other);

  const wanted: [controller: string, action: string, of?: Partial<AuditRow>][] = [
    ['device', 'create', { device: spare, newValue: 'Spare' }],
    ['device', 'rename', { device: id, oldValue: 'Hilltop', newValue: 'Hilltop 2' }],
    ['device', 'setting', { device: id, attribute: 'info', newValue: '{"Site":"Hill"}' }],
    ['device_command', 'run', { device: id, newValue: 'echo day' }],
    ['device_command', 'create', { newValue: 'echo saved' }],
    ['device_command', 'run', { device: id, newValue: 'echo saved' }],
    ['device_command', 'delete', { oldValue: 'echo saved' }],
    ['remote_shell', 'open', { device: id, entity: shell.id }],
    ['remote_tunnel', 'open', { device: id, entity: tunnel.id }],
    ['remote_tunnel', 'close', { device: id, entity: tunnel.id }],
    ['device', 'list', { device: id, newValue: '/etc' }],
    ['device', 'get', { device: id, newValue: '/etc/hostname' }],
    ['device', 'send', { device: id, newValue: `${agent.root}/hello.txt` }],
    ['device_config', 'update', { device: id }],
    ['device_backup', 'create', { device: id }],
    ['device_backup', 'restore', { device: id }],
    ['discovery', 'openServices', { device: id }],
    ['discovery', 'scan.modbus', { device: id }],
    ['plugin', 'send', { device: id, attribute: 'ardpkg' }],
    ['plugin', 'remove', { device: id, attribute: 'nothing', status: 'failed' }],
    ['bulk_action', 'begin', { entity: bulk.action._id }],
    ['device', 'setting', { device: id, oldValue: '{"Site":"Hill"}', newValue: '{"Site":"Dale"}' }],
    ['device_group', 'create', { entity: 'North' }],
    ['device', 'update', { device: id, attribute: 'certificate' }],
    ['device', 'reissue', { device: spare, newValue: 'certpack' }],
    ['device', 'revoke', { device: spare }],
    ['device', 'remove', { device: spare, oldValue: 'Spare' }],
  ];
  const log = async (): Promise<AuditRow[]> => (await call('GET', 'orgs/main/audit?rows=1000')).entries;
  const missing = async () => {
    const entries = await log();
    return wanted.filter(
      ([controller, action, of = {}]) =>
        !entries.some(
          (entry) =>
            entry.controller === controller &&
            entry.action === action &&
            entry.by === OWNER.email &&
            entry.address !== null &&
            Object.entries({ status: 'success', ...of }).every(
              ([name, value]) => entry[name as keyof AuditRow] === value,
            ),
        ),
    );
  };
  // Commands and bulk actions run on after they were begun.
  await expect.poll(missing, { timeout: 60_000, interval: 500 }).toEqual([]);
  const own = (await call('GET', `orgs/main/audit?rows=1000&device=${id}`)).entries as AuditRow[];
  expect(own.every(({ device, deviceName }) => device === id && deviceName === 'Hilltop 2')).toBe(true);
}, 180_000);
