import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeTables } from './telemetry.schema-sql.ts';
import { openTestStore } from './telemetry.test-store.ts';

let opened: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.stop());

test('a start alters no table that has all its columns, and adds one that is missing', async () => {
  const { clickhouse } = opened;
  await clickhouse.exec('ALTER TABLE telemetry.chart_hours DROP COLUMN rise');
  const exec = vi.spyOn(clickhouse, 'exec');
  const altered = () => exec.mock.calls.map(([sql]) => sql).filter((sql) => sql.startsWith('ALTER'));
  await makeTables(clickhouse);
  expect(altered()).toHaveLength(1);
  exec.mockClear();
  await makeTables(clickhouse);
  expect(altered()).toEqual([]);
});
