import { EntityWorld, streamsOf, UnknownStrategy } from '@albedo/contract/entities/entity-streams';
import type { EntityStream, KnownSource, StreamSelector } from '@albedo/contract/entities/streams.schema';
import { labelsOf, type SourceLabels } from '@albedo/contract/labelling/labelling.schema';
import type { Caller } from '../access/caller.ts';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { visibleLabels } from '../registry/visible-labels.ts';
import type { Entities } from './entities.service.ts';

/** What calculations write of one workgroup: for each entity that one is about a source, without roles. */
type FindCalculated = (workgroup: string) => Promise<KnownSource[]>;

/** Which streams entities have, for whoever draws or computes with them. */
export class EntityStreams {
  readonly #entities: Entities;
  readonly #machines: Pick<Machines, 'list'>;
  readonly #roles: Pick<FieldRoles, 'known' | 'knownToAll'>;
  readonly #registry: Pick<DeviceRegistry, 'known'>;
  #findCalculated: FindCalculated = async () => [];

  constructor(of: {
    entities: Entities;
    machines: Pick<Machines, 'list'>;
    fieldRoles: Pick<FieldRoles, 'known' | 'knownToAll'>;
    registry: Pick<DeviceRegistry, 'known'>;
  }) {
    this.#entities = of.entities;
    this.#machines = of.machines;
    this.#roles = of.fieldRoles;
    this.#registry = of.registry;
  }

  /** Has entities know what calculations write of them. */
  addCalculated(find: FindCalculated): void {
    this.#findCalculated = find;
  }

  /** Every source that the caller sees; of calculations only whoever sees all devices, which they may be over. */
  async sources(caller: Caller, signal?: AbortSignal): Promise<KnownSource[]> {
    const sources = this.#labelled(await this.#roles.known(caller, signal), caller.devices);
    return caller.devices.isAll
      ? withCalculated(sources, await this.#findCalculated(caller.workgroup))
      : sources;
  }

  /** The world of a whole workgroup, for what runs without a caller. */
  async whole(workgroup: string, signal?: AbortSignal): Promise<EntityWorld> {
    const [entities, known, calculated, machines] = await Promise.all([
      this.#entities.all(workgroup),
      this.#roles.knownToAll(workgroup, signal),
      this.#findCalculated(workgroup),
      this.#machines.list(workgroup),
    ]);
    const sources = withCalculated(this.#labelled(known, ALL_DEVICES), calculated);
    return new EntityWorld({ entities, sources, machines });
  }

  /** Entities, sources and machines as the caller sees them now, for any number of questions to `streamsOf`. */
  async world(caller: Caller, signal?: AbortSignal): Promise<EntityWorld> {
    const [entities, sources, machines] = await Promise.all([
      this.#entities.list(caller),
      this.sources(caller, signal),
      this.#machines.list(caller.workgroup),
    ]);
    return new EntityWorld({ entities, sources, machines });
  }

  #labelled(sources: readonly KnownSource[], scope: DeviceScope): KnownSource[] {
    const byDevice = new Map<string, SourceLabels>();
    return sources.map((one) => {
      let own = byDevice.get(one.deviceId);
      if (!own) {
        const device = this.#registry.known(one.deviceId);
        own = device ? visibleLabels(device, scope) : {};
        byDevice.set(one.deviceId, own);
      }
      const labels = labelsOf(own, one.source);
      return labels.length > 0 ? { ...one, labels } : one;
    });
  }

  /** Throws `entity.not_found`, `entity.strategy_unknown`. */
  async of(
    caller: Caller,
    entity: string,
    wanted: StreamSelector,
    signal?: AbortSignal,
  ): Promise<EntityStream[]> {
    const world = await this.world(caller, signal);
    if (!world.entity(entity)) throw new AppError('entity.not_found');
    return resolved(world, entity, wanted);
  }
}

/** What a calculation writes has no role, so that it is never added to what it was computed from. */
function withCalculated(known: readonly KnownSource[], calculated: readonly KnownSource[]): KnownSource[] {
  const ids = new Set(calculated.map(({ deviceId }) => deviceId));
  return [...known.filter(({ deviceId }) => !ids.has(deviceId)), ...calculated];
}

/** `streamsOf` with the failure that the API tells. Throws `entity.strategy_unknown`. */
export function resolved(world: EntityWorld, entity: string, wanted: StreamSelector): EntityStream[] {
  try {
    return streamsOf(world, entity, wanted);
  } catch (error) {
    if (error instanceof UnknownStrategy)
      throw new AppError('entity.strategy_unknown', { strategy: error.strategy });
    throw error;
  }
}
