import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouse, connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { BenchCloud } from './bench-cloud.ts';

export interface BenchEngine {
  bench: BenchCloud;
  /** The same engine that the cloud asks. */
  clickhouse: ClickHouse;
  /** Processor time of the engine's process so far, ms. */
  spentMs(): number;
  stop(): Promise<void>;
}

/** The cloud of a bench with a telemetry engine of this program, which can be asked directly too. */
export async function startWithEngine(): Promise<BenchEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-bench-engine-'));
  const log = { info() {}, warn: (facts: object, message: string) => console.error(message, facts) };
  const engine = await startEmbeddedClickHouse({ dataDir: folder, log });
  const clickhouse = connectClickHouse(engine);
  const address = new URL(engine.url);
  Object.assign(address, { username: engine.username ?? '', password: engine.password ?? '' });
  const bench = await BenchCloud.start({ CLICKHOUSE_URL: address.href });
  return {
    bench,
    clickhouse,
    spentMs: () => {
      const fields = readFileSync(`/proc/${engine.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    stop: async () => {
      await bench.stop();
      await clickhouse.close();
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
