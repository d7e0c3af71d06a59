import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from './config.read.ts';

const MQTT = `mqtt:
  hostname: broker.example.net
  cacertfile: /etc/albedo/keys/ca-chain.crt
  certfile: /etc/albedo/keys/client.crt
  keyfile: /etc/albedo/keys/client.key
`;

test('a configuration with only the link has the standard folders and limits', () => {
  const { config, faults } = parseConfig(MQTT, 'a.yaml');
  expect(faults).toEqual([]);
  expect(config.mqtt.port).toBe(8883);
  expect(config.outbox).toEqual({ limit_mb: 256, limit_days: 30 });
  expect(config.dynamic_tail).toEqual([{ directory: '/opt/albedo/logs', filename: 'latest.csv' }]);
  expect(config.run_dir).toContainEqual({ directory: '/opt/albedo/run/5m', frequency: '5m' });
  expect(config.machine).toBe(true);
});

test('a shared field list keeps the name of its anchor', () => {
  const { config, faults } = parseConfig(
    `${MQTT}
meter_fields: &meter
  - {name: Datetime, expect: date}
  - {name: AC Power, expect: decimal, meta: {units: W}}
tail:
  - {table: meter, source: main/incomer, file: /a.csv, expect: csv, fields: *meter}
  - {table: meter, source: spare, file: /b.csv, expect: csv, fields: *meter}
run:
  - {table: site, source: door, command: echo 1, frequency: 60, expect: csv, fields: &own [{name: x, expect: decimal}]}
  - {table: site, source: noon, command: echo 1, at: 12:05, expect: decimal}
  - {table: site, source: hourly, command: echo 1, at: 5, expect: decimal}
`,
    'a.yaml',
  );
  expect(faults).toEqual([]);
  expect(config.tail.map((one) => one.fieldAnchor)).toEqual(['meter', 'meter']);
  expect(config.run.map((one) => [one.fieldAnchor, one.at])).toEqual([
    ['own', undefined],
    [undefined, '12:05'],
    [undefined, '5'],
  ]);
  expect(Object.keys(config.anchors)).toEqual(['own', 'meter']);
});

test('wrong YAML names file and line', () => {
  expect(() => parseConfig(`${MQTT}tail: [`, 'a.yaml')).toThrow(/^a\.yaml, line 6: /);
  expect(() => parseConfig('just a text', 'a.yaml')).toThrow('a.yaml, line 1: must be a map');
});

test('a wrong global key is refused by name and line', () => {
  expect(() => parseConfig(MQTT.replace('broker.example.net', '""'), 'a.yaml')).toThrow(
    /^a\.yaml, line 2: mqtt\.hostname: /,
  );
  expect(() => parseConfig('machine: true', 'a.yaml')).toThrow(ConfigError);
  expect(() => parseConfig(`${MQTT}outbox: {limit_mb: lots}`, 'a.yaml')).toThrow(
    /line 6: outbox\.limit_mb: /,
  );
});

test('a bad scenario and an unknown key are named, and the others stay', () => {
  const { config, faults } = parseConfig(
    `${MQTT}colour: blue
run:
  - {table: a, source: b, command: echo 1, frequncy: 5, expect: decimal}
  - {table: a.b, source: c, command: echo 1, frequency: 5, expect: decimal}
  - {table: a, source: d, command: echo 1, frequency: 5, expect: decimal, colour: red}
  - {table: a, source: e, command: echo 1, frequency: 5, expect: csv}
tail: 7
`,
    'a.yaml',
  );
  expect(config.run.map((one) => one.source)).toEqual(['d']);
  expect(faults.map((one) => one.message)).toEqual([
    'a.yaml, line 6: unknown key "colour"',
    'a.yaml, line 8: unknown key "frequncy" in run entry 1',
    expect.stringMatching(/^a\.yaml, line 9: run entry 2 key "table" is left out: /),
    'a.yaml, line 10: unknown key "colour" in run entry 3',
    expect.stringMatching(/^a\.yaml, line 11: run entry 4 key "fields" is left out: /),
    'a.yaml, line 8: run needs either "frequency" or "at"',
    'a.yaml, line 12: tail must be a list',
  ]);
  expect(faults[1]).toMatchObject({ table: 'a', source: 'b' });
});

test('no entry writes into a table in which the agent or the cloud tells of itself', () => {
  const entry = '{table: agent_errors, source: forged, file: /a.csv, expect: keyword}';
  const { config, faults } = parseConfig(`${MQTT}tail: [${entry}]`, 'a.yaml');
  expect(config.tail).toEqual([]);
  expect(faults[0]?.message).toContain(
    'key "table" is left out: The cloud and the agents tell of themselves',
  );
});
