/**
 * The process that holds the embedded ClickHouse. Started by `embedded.ts` with an IPC channel: it takes its orders
 * as messages, says when it is ready, and ends when its parent does.
 */
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { defaultLimits, Engine } from './engine.ts';
import { engineServer } from './engine-http.ts';
import type { EngineOrder, EngineReport } from './engine-messages.ts';

/** A stop that hangs is cut off; the data on disk then is as after a crash, which loses nothing acknowledged. */
const STOP_LIMIT_MS = 8000;

let stop: (() => Promise<void>) | null = null;

const tell = (report: EngineReport) => process.send?.(report);

function start(order: Extract<EngineOrder, { order: 'start' }>): void {
  mkdirSync(order.dataDir, { recursive: true });
  const engine = new Engine(order.dataDir, defaultLimits());
  engine.open();
  const server = engineServer(engine, order.password);
  stop = async () => {
    server.close();
    await engine.close();
    server.closeAllConnections();
  };
  server.on('error', (error) => refuse(error));
  server.listen(order.port, '127.0.0.1', () => {
    tell({ report: 'ready', port: (server.address() as AddressInfo).port });
  });
}

function refuse(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  // Ends only after the report has left.
  process.send?.({ report: 'failed', message } satisfies EngineReport, undefined, undefined, () =>
    process.exit(1),
  );
}

function end(): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_LIMIT_MS).unref();
  const stopping = stop;
  stop = null;
  Promise.resolve(stopping?.()).then(
    () => process.exit(0),
    () => process.exit(1),
  );
}

process.on('message', (message: EngineOrder) => {
  try {
    if (message.order === 'start') start(message);
    else end();
  } catch (error) {
    refuse(error);
  }
});
process.on('disconnect', end);
// A terminal and a service manager signal the whole group; when to stop is the parent's word.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
