import type { AlertTestResult, alertTest } from '@albedo/contract/alerts/alerts.schema';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Entities } from '../entities/entities.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { type ReplayOptions, replay } from './alert-replay.ts';
import { ruleOf } from './alert-rules.ts';
import { labelsIn } from './alert-scope.ts';
import type { Alerts } from './alerts.service.ts';

export interface AlertTestsOptions {
  telemetry: Telemetry;
  entities: Pick<Entities, 'allFacts'>;
  registry: DeviceRegistry;
  alerts: Pick<Alerts, 'find'>;
  placeOf: ReplayOptions['placeOf'];
}

/** Tries alerts on what is stored. */
export class AlertTests {
  readonly #options: AlertTestsOptions;

  constructor(options: AlertTestsOptions) {
    this.#options = options;
  }

  /** Throws `alert.not_found`, and what a search throws. */
  async run(
    caller: Caller,
    { alert, from, to, against }: z.output<typeof alertTest>,
    signal?: AbortSignal,
  ): Promise<AlertTestResult> {
    const { telemetry, entities, registry, alerts, placeOf } = this.#options;
    const { workgroup } = caller;
    const old = against === null ? null : await alerts.find(workgroup, against);
    if (old === undefined) throw new AppError('alert.not_found');
    const facts = await entities.allFacts(workgroup);
    const hasLabel = labelsIn(registry);
    // Presence stands in the audit log, which not every coordinator reads: the test tells no more of it than the incidents do.
    const reader = alert.kind === 'offline' ? telemetry.asSystem('alerts', workgroup) : telemetry.for(caller);
    const nameOf = (device: string) => {
      const known = registry.known(device);
      return known?.workgroup === workgroup ? known.name : device;
    };
    const of: ReplayOptions = { reader, from, to: Math.min(to, Date.now()), placeOf, nameOf, signal };
    const { result, rows, stepMs } = await replay(ruleOf(workgroup, '', alert, facts, hasLabel), of);
    const before = old ? await replay(ruleOf(workgroup, old.id, old.content, facts, hasLabel), of) : null;
    return {
      from: of.from,
      to: of.to,
      rows: rows + (before?.rows ?? 0),
      stepMs,
      result,
      against: before?.result ?? null,
    };
  }
}
