import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
    knownBrowserS: 15_552_000,
  });
  expect([...config.roles]).toEqual(['api', 'ingest', 'jobs']);
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ ALBEDO_PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: null });
});

test('how long a browser is known is written in days, or as a time', () => {
  expect(readConfig({ ALBEDO_KNOWN_BROWSER: '30' })).toMatchObject({ knownBrowserS: 2_592_000 });
  expect(readConfig({ ALBEDO_KNOWN_BROWSER: '1d 12h' })).toMatchObject({ knownBrowserS: 129_600 });
  expect(() => readConfig({ ALBEDO_KNOWN_BROWSER: 'for ever' })).toThrow(/ALBEDO_KNOWN_BROWSER must be/);
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

const OTHERS = {
  DATABASE_URL: 'postgres://albedo:a-secret@db.example.org/albedo',
  CLICKHOUSE_URL: 'http://albedo:a-secret@events.example.org:8123',
  MQTT_URL: 'mqtt://albedo:a-secret@broker.example.org',
  REDIS_URL: 'redis://:a-secret@cache.example.org',
  S3_URL: 'http://key:a-secret@files.example.org/bucket',
  ALBEDO_BACKUP_TO: 'http://key:a-secret@files.example.org/backups',
};

test.each(Object.entries(OTHERS))(
  '%s without TLS to a machine of the internet is refused, unless let',
  (name, url) => {
    expect(() => readConfig({ [name]: url })).toThrow(`${name} must ask for TLS`);
    expect(() => readConfig({ [name]: url })).not.toThrow(/a-secret/);
    expect(readConfig({ [name]: url, ALBEDO_PLAIN_CONNECTIONS: 'any' }).plainServers).toEqual([name]);
    const near = url.replace(/@[a-z.]+/, '@10.1.2.3');
    expect(readConfig({ [name]: near }).plainServers).toEqual([name]);
    expect(readConfig({ [name]: url.replace(/@[a-z.]+/, '@container') }).plainServers).toEqual([name]);
    expect(() => readConfig({ [name]: near, ALBEDO_PLAIN_CONNECTIONS: 'none' })).toThrow(/must ask for TLS/);
    const here = { [name]: url.replace(/@[a-z.]+/, '@127.0.0.1'), ALBEDO_PLAIN_CONNECTIONS: 'none' };
    expect(readConfig(here).plainServers).toEqual([]);
  },
);

test.each([
  ['sslmode=verify-full', true],
  ['sslmode=require', true],
  ['sslmode=disable', false],
  ['sslmode=no-verify', false],
  ['sslmode=require&uselibpqcompat=true', false],
  ['host=/var/run/postgresql', true],
  ['host=127.0.0.1,192.0.2.1', false],
])('PostgreSQL with %s is one whose certificate is checked, or on this machine: %s', (query, is) => {
  const read = () =>
    readConfig({ DATABASE_URL: `postgres://albedo:a-secret@db.example.org/albedo?${query}` });
  if (is) expect(read().plainServers).toEqual([]);
  else expect(read).toThrow(/DATABASE_URL must ask for TLS/);
});

test('servers on other machines have names and passwords that nobody knows', () => {
  const read = (name: string, url: string) => () => readConfig({ [name]: url });
  expect(read('CLICKHOUSE_URL', 'https://events.example.org')).toThrow(/CLICKHOUSE_URL must name a user/);
  expect(read('CLICKHOUSE_URL', 'https://default:@10.0.0.1')).toThrow(/CLICKHOUSE_URL has a password that/);
  expect(read('CLICKHOUSE_URL', 'http://127.0.0.1:8123')).not.toThrow();
  expect(read('DATABASE_URL', 'postgres://postgres:postgres@10.0.0.1/a')).toThrow(/that everybody knows/);
  expect(read('DATABASE_URL', 'postgres://postgres:postgres@localhost/a')).not.toThrow();
  expect(read('SMTP_URL', 'smtps://guest:guest@mail.example.org')).toThrow(/SMTP_URL has a password/);
});

test('mails to other machines go over TLS or not at all, where connections without it are not allowed', () => {
  const needsTls = (url: string, plain = 'private') =>
    readConfig({ SMTP_URL: url, ALBEDO_PLAIN_CONNECTIONS: plain }).smtpNeedsTls;
  expect(needsTls('smtp://mail.example.org')).toBe(true);
  expect(needsTls('smtp://mail.example.org', 'any')).toBe(false);
  expect(needsTls('smtp://10.0.0.1')).toBe(false);
  expect(needsTls('smtp://10.0.0.1', 'none')).toBe(true);
  expect(needsTls('smtp://localhost', 'none')).toBe(false);
});

test('what holds a password may stand in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'database');
  writeFileSync(path, 'postgres://albedo:a-secret@localhost/albedo\n');
  expect(readConfig({ DATABASE_URL_FILE: path }).databaseUrl).toBe(
    'postgres://albedo:a-secret@localhost/albedo',
  );
  const both = { DATABASE_URL_FILE: path, DATABASE_URL: 'postgres://localhost/albedo' };
  expect(() => readConfig(both)).toThrow(/only one of DATABASE_URL and DATABASE_URL_FILE/);
  const read = () => readConfig({ REDIS_URL_FILE: join(folder, 'none') });
  expect(read).toThrow(/REDIS_URL_FILE must name a file that can be read/);
  expect(read).not.toThrow(folder);
});

test('hosts that may be read are names, and nothing else', () => {
  const read = (text: string) => readConfig({ ALBEDO_OUTBOUND_HOSTS: text }).outboundHosts;
  expect(read('API.example.org, *.example.net')).toEqual(['api.example.org', '*.example.net']);
  expect(() => read('https://api.example.org')).toThrow(/ALBEDO_OUTBOUND_HOSTS must be host names/);
});

test('a second factor may be demanded of everybody, whatever workgroups say', () => {
  expect(readConfig({ ALBEDO_WORKGROUP_MFA: 'always' })).toMatchObject({
    workgroupMfa: true,
    mfaOfAll: true,
  });
  expect(readConfig({ ALBEDO_WORKGROUP_MFA: 'required' }).mfaOfAll).toBe(false);
});
