import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: null,
    dataDir: './data',
    isDemo: false,
    ownerEmail: 'owner@albedo.local',
    ownerPassword: null,
    mqttPort: 8883,
    mqttPublicHost: 'localhost',
    databaseUrl: null,
    logLevel: 'info',
  });
  expect([...config.roles]).toEqual(['api', 'ingest', 'jobs']);
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ ALBEDO_PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: null });
});

test('the address that agents call follows the public one', () => {
  expect(readConfig({ ALBEDO_PUBLIC_URL: 'https://albedo.example.org/' })).toMatchObject({
    publicUrl: 'https://albedo.example.org',
    mqttPublicHost: 'albedo.example.org',
  });
});

test('all bad variables are named together with what is wrong', () => {
  const read = () =>
    readConfig({
      ALBEDO_PORT: '70000',
      DATABASE_URL: 'mysql://nowhere',
      ALBEDO_ROLES: 'api,cook',
      ALBEDO_OWNER_PASSWORD: 'short',
      LOG_LEVEL: 'loud',
    });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/ALBEDO_PORT must be a port/);
  expect(read).toThrow(/DATABASE_URL must be an address that begins with postgres:\/\//);
  expect(read).toThrow(/ALBEDO_ROLES may name api, ingest, jobs/);
  expect(read).toThrow(/ALBEDO_OWNER_PASSWORD must contain at least 8 characters/);
  expect(read).toThrow(/LOG_LEVEL must be trace/);
});

test('a bad secret is not repeated in the message', () => {
  expect(() => readConfig({ ALBEDO_OWNER_PASSWORD: 'hunter2' })).not.toThrow(/hunter2/);
});

test('domains of the staff are those of addresses, which are kept in small letters', () => {
  expect(readConfig({ ALBEDO_STAFF_DOMAINS: 'Provider.Example' }).staffDomains).toEqual(['provider.example']);
});

test.each([
  [{}, false],
  [{ ALBEDO_PUBLIC_URL: 'http://127.0.0.1:8080' }, false],
  [{ ALBEDO_PUBLIC_URL: 'http://albedo.localhost', ALBEDO_HOST: '::1' }, false],
  [{ ALBEDO_PUBLIC_URL: 'http://[::1]:8080' }, false],
  [{ ALBEDO_PUBLIC_URL: 'https://localhost.example.org' }, true],
  [{ ALBEDO_PUBLIC_URL: 'https://127.0.0.1.example.org' }, true],
  [{ ALBEDO_HOST: '0.0.0.0' }, true],
])(
  'with %o others than this machine reach the server: %s; then the staff must have a second factor',
  (env, is) => {
    expect(readConfig(env)).toMatchObject({ isPublic: is, staffMfa: is, workgroupMfa: is });
    expect(readConfig({ ...env, ALBEDO_WORKGROUP_MFA: 'optional' }).workgroupMfa).toBe(false);
    expect(readConfig({ ...env, ALBEDO_WORKGROUP_MFA: 'required' }).workgroupMfa).toBe(true);
    expect(readConfig({ ...env, ALBEDO_STAFF_MFA: 'optional' }).staffMfa).toBe(false);
    expect(readConfig({ ...env, ALBEDO_STAFF_MFA: 'required' }).staffMfa).toBe(true);
  },
);

test('proxies are trusted by address or network, and nothing else is taken for one', () => {
  const read = (text: string) => readConfig({ ALBEDO_TRUSTED_PROXIES: text }).trustedProxies;
  expect(read('10.0.0.0/8, 192.0.2.7')).toEqual(['10.0.0.0/8', '192.0.2.7']);
  expect(() => read('proxy.example.org')).toThrow(/ALBEDO_TRUSTED_PROXIES must be addresses or networks/);
});
