import { createHash } from 'node:crypto';
import type { BatchField, BatchRow } from '@albedo/contract/link/link.messages';
import type { Logger } from 'pino';
import { NO_DEVICE } from '../audit/audit.service.ts';
import type { TelemetryBlock } from '../telemetry/telemetry.service.ts';
import type { IncidentsStore, WaitingStep } from './incidents.store.ts';

/** Table of the telemetry in which people search transitions. Source: domain/cloud.md section 13. */
export const INCIDENTS_LOG = 'incidents_log';

const FIELDS: BatchField[] = [
  ...[
    'incident',
    'alert',
    'kind',
    'severity',
    'subject',
    'action',
    'state',
    'user',
    'text',
    'value_text',
  ].map((name) => ({ name, type: 'keyword' as const })),
  { name: 'value', type: 'decimal' },
];
const AT_ONCE = 2000;
const SOON_MS = 200;
const RETRY_MS = 5000;

/** Copies every step into the telemetry, once each. The records are the truth; the copy may lag. */
export class IncidentsLog {
  readonly #store: Pick<IncidentsStore, 'waiting' | 'copied'>;
  readonly #sink: { insert(blocks: TelemetryBlock[], token: string): Promise<void> };
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #copying: Promise<void> | null = null;
  #isStopped = false;

  constructor(of: {
    store: Pick<IncidentsStore, 'waiting' | 'copied'>;
    sink: { insert(blocks: TelemetryBlock[], token: string): Promise<void> };
    log: Logger;
  }) {
    this.#store = of.store;
    this.#sink = of.sink;
    this.#log = of.log;
  }

  soon(afterMs = SOON_MS): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, afterMs).unref();
  }

  /** Copies what waits; what fails is tried again later. */
  flush(): Promise<void> {
    this.#copying ??= this.#copy()
      .catch((err) => {
        this.#log.warn({ err }, 'the log of incidents could not be made searchable; trying again');
        this.soon(RETRY_MS);
      })
      .finally(() => {
        this.#copying = null;
      });
    return this.#copying;
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.flush();
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #copy(): Promise<void> {
    for (;;) {
      const waiting = await this.#store.waiting(AT_ONCE);
      if (waiting.length === 0) return;
      const seqs = waiting.map(({ step }) => step.seq);
      const token = createHash('sha256').update(seqs.join()).digest('hex');
      await this.#sink.insert(blocksOf(waiting), `incidents-${token}`);
      await this.#store.copied(seqs);
    }
  }
}

function blocksOf(waiting: readonly WaitingStep[]): TelemetryBlock[] {
  const byStream = Map.groupBy(waiting, ({ step, incident }) =>
    JSON.stringify([step.workgroup, incident.device ?? NO_DEVICE, incident.source ?? 'cloud']),
  );
  return [...byStream].map(([key, of]) => {
    const [workgroup, device, source] = JSON.parse(key) as [string, string, string];
    return {
      workgroup,
      device,
      stream: { table: INCIDENTS_LOG, source, fields: FIELDS },
      rows: of.map(({ step, incident }): BatchRow => {
        const { value } = step;
        return [
          step.seq,
          step.at.getTime(),
          incident.id,
          incident.name,
          incident.kind,
          incident.severity,
          incident.subject,
          step.action,
          step.state,
          step.by,
          step.text,
          typeof value === 'string' ? value : null,
          typeof value === 'number' ? value : null,
        ];
      }),
    };
  });
}
