/**
 * How long a file of metadata of a large workgroup takes at the server: previewed, applied, and a field renamed.
 * `node bench/metadata.ts [devices]`
 */
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { BenchCloud, WORKGROUP } from './bench-cloud.ts';

const [devices = 10_000] = process.argv.slice(2).map(Number);
const FIELDS = ['Site', 'Region', 'Installer', 'Contact', 'Serial number'];

const bench = await BenchCloud.start();
const { postgres, registry } = bench.cloud.features;
await postgres.query(
  `INSERT INTO devices (id, workgroup, name, arch, meta, settings)
   SELECT gen_random_uuid(), $1, 'Inverter ' || n, 'amd64', '{}'::jsonb, $3::jsonb FROM generate_series(1, $2::int) n`,
  [WORKGROUP, devices, JSON.stringify({ info: { Site: 'Hill', Region: 'North' } })],
);
await registry.start();

async function ask(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${bench.cloud.url}${API_PREFIX}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bench.token}`,
      'content-type': 'application/json',
      ...bench.forgery,
    },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path} answers ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}

async function timed(name: string, target: string, task: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await task();
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(2)} s (${target})`);
}

await ask('PUT', `orgs/${WORKGROUP}/settings/deviceInfoKeys`, { value: FIELDS });
const composition = { type: 'META', field: 'Region', operator: '=', value: 'North' };
await ask('POST', `orgs/${WORKGROUP}/device-groups`, { name: 'North', composition });
const rows = Array.from({ length: devices }, (_, i) => ({
  row: i + 2,
  cells: [`Inverter ${i + 1}`, `Site ${i}`, i % 2 ? 'North' : 'South', 'Sun Ltd', 'Ida', `SN-${i}`],
}));
const file = { level: 'device', columns: ['name', ...FIELDS], rows };

console.log(`${devices} devices, ${FIELDS.length} fields, a device group that half of them leave`);
await timed('preview', 'target 2 s', () => ask('POST', `metadata/${WORKGROUP}/preview`, file));
await timed('apply', 'target 5 s', () => ask('POST', `metadata/${WORKGROUP}/import`, file));
await timed('rename', 'target 5 s', () =>
  ask('PUT', `metadata/${WORKGROUP}/field`, { level: 'device', name: 'Site', to: 'Location' }),
);
await bench.stop();
