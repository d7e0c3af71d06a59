import {
  circleIn,
  entriesOf,
  type LabelledSource,
  sourceLabelsOf,
} from '@albedo/contract/labelling/labelling.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import type { Actor } from '../access/actor.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Devices } from '../devices/devices.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { visibleLabels } from '../registry/visible-labels.ts';

export interface LabellingOptions {
  postgres: Postgres;
  registry: DeviceRegistry;
  devices: Devices;
}

/** How sources are labelled, and which stand below others. */
export class Labelling {
  readonly #options: LabellingOptions;

  constructor(options: LabellingOptions) {
    this.#options = options;
  }

  /** The labelled sources that the caller sees; one that stands below a hidden one stands by itself. */
  list(workgroup: string, scope: DeviceScope): LabelledSource[] {
    return this.#options.registry.visible(workgroup, scope).flatMap((device) =>
      Object.entries(visibleLabels(device, scope)).map(([source, { labels, parent }]) => ({
        ...{ device: device.id, source, labels, parent },
      })),
    );
  }

  /**
   * All of them or none; one without labels that stands by itself is forgotten. Throws `device.not_found`, `request.invalid`,
   * `device.settings_full`.
   */
  save(workgroup: string, sources: readonly LabelledSource[], by: Actor): Promise<void> {
    const { postgres, devices } = this.#options;
    return oneByOne(postgres, `labelling ${workgroup}`, async () => {
      const known = await devices.infos(workgroup, { isHeld: true });
      const kept = new Map(known.map((one) => [one.id, one]));
      const changes = [...Map.groupBy(sources, ({ device }) => device)].flatMap(([id, all]) => {
        const device = kept.get(id);
        if (!device) throw new AppError('device.not_found', { id });
        const before = entriesOf(device.sourceLabels);
        const after = merged(before, all);
        const circle = circleIn(sourceLabelsOf(after));
        if (circle !== null) throw invalid('issue.labelling_circle', { source: circle }, 'sources');
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        return isSame ? [] : [{ id, sourceLabels: after }];
      });
      await devices.changeInfos(workgroup, changes, known, by);
    });
  }
}

function merged(
  before: Readonly<Record<string, unknown>>,
  all: readonly LabelledSource[],
): Record<string, unknown> {
  const after: Record<string, unknown> = { ...before };
  for (const { source, labels, parent } of all) {
    if (labels.length === 0 && parent === null) delete after[source];
    else after[source] = { labels, parent };
  }
  return after;
}
