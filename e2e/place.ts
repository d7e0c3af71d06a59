import { join } from 'node:path';

/**
 * Where the product of this worker listens and keeps its data: two workers never share a port or a folder. All ports
 * move with `ALBEDO_E2E_PORT`.
 */
const http = Number(process.env.ALBEDO_E2E_PORT ?? 18_080) + Number(process.env.TEST_PARALLEL_INDEX ?? 0);
export const PORTS = { http, mqtt: http + 803 } as const;
export const BASE = `http://127.0.0.1:${PORTS.http}`;

/** A worker that begins after a failed journey has a new index, and so a new folder. */
export const DATA = join(process.env.ALBEDO_E2E_DATA ?? '', `worker-${process.env.TEST_WORKER_INDEX ?? 0}`);
/** Mails of this worker's product, one file each. */
export const OUTBOX = join(DATA, 'outbox');
