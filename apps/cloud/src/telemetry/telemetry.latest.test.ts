import type { ClickHouse } from '@albedo/clickhouse/client';
import { expect, test } from 'vitest';
import { LatestValues } from '../latest-values/latest-values.service.ts';
import type { FieldCatalog } from './telemetry.catalog.ts';
import { readFacts } from './telemetry.latest.ts';
import type { Telemetry } from './telemetry.service.ts';

const cpu = { n: new Map([['cpu_usage', { slot: 0 }]]), s: new Map(), t: new Map() };
const catalog = {
  workgroups: ['main'],
  tables: () => [],
  table: (_workgroup: string, table: string) => (table === 'data' ? cpu : null),
} as unknown as FieldCatalog;

test.each([
  ['no results returned', 0],
  ['historic results not returned from table black_box', 1],
  ['results not returned from table data', 2],
])('health that cannot be read says "%s", with the cause', async (text, failing) => {
  let count = 0;
  const cause = new Error('the engine is away');
  const queryRows = async () => {
    if (count++ === failing) throw cause;
    return [];
  };
  const asked = readFacts({ queryRows } as unknown as ClickHouse, catalog, 0);
  await expect(asked).rejects.toMatchObject({ message: text, cause });
});

test('newest values of black boxes that cannot be read say so, with the cause', async () => {
  const cause = new Error('the engine is away');
  const latestOf = () => Promise.reject(cause);
  const values = new LatestValues({ for: () => ({ latestOf }) } as unknown as Telemetry);
  const ask = (table: string) =>
    values.ofField({} as never, { table, field: 'CPU usage', groupBy: 'device' });
  await expect(ask('black_box')).rejects.toMatchObject({
    message: 'latest results not returned from table black_box',
    cause,
  });
  await expect(ask('meter')).rejects.toBe(cause);
});
