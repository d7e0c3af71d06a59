import { ENERGY_CONFIGS, type EnergyConfigName } from '@albedo/contract/energy/energy.names';
import {
  ENERGY_CONFIG_SCHEMAS,
  type EnergyConfigs,
  type RoleOrigin,
} from '@albedo/contract/energy/energy-config.schema';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { issuesText, requestIssues } from '../errors/request-issues.ts';
import type { History } from '../history/history.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { checkConfig } from './energy-config-checks.ts';
import type { EnergyConfigsStore } from './energy-configs.store.ts';
import { isOwnSite, visibleCodes } from './meter-scope.ts';

const TIMEZONE = 'dailyEnergy.timezone';

export interface EnergyConfigsOptions {
  store: EnergyConfigsStore;
  workgroups: Workgroups;
  registry: DeviceRegistry;
  history: Pick<History, 'keep'>;
  audit: Audit;
  tell: TellList;
  /** Has what follows from configurations computed. */
  wake: () => Promise<void>;
}

/** How reports are configured. What nobody saved is what counts without it. */
export class ConfigsOfEnergy {
  readonly #options: EnergyConfigsOptions;

  constructor(options: EnergyConfigsOptions) {
    this.#options = options;
  }

  async all(workgroup: string): Promise<EnergyConfigs> {
    const kept = await this.kept(workgroup);
    return Object.fromEntries(
      ENERGY_CONFIGS.map((name) => [name, kept.get(name)?.value]),
    ) as unknown as EnergyConfigs;
  }

  async get(workgroup: string, name: EnergyConfigName): Promise<{ version: number; value: unknown }> {
    return (await this.kept(workgroup)).get(name) ?? { version: 0, value: {} };
  }

  /** As `get`; a member of a device group sees what is about devices of theirs, and no addresses. */
  async shown(
    caller: Pick<Caller, 'workgroup' | 'devices'>,
    name: EnergyConfigName,
  ): Promise<{ version: number; value: unknown }> {
    const found = await this.get(caller.workgroup, name);
    return caller.devices.isAll ? found : { ...found, value: narrowed(found.value, caller) };
  }

  /** Each with its defaults; the time zone is that of the setting. */
  async kept(workgroup: string): Promise<Map<EnergyConfigName, { version: number; value: unknown }>> {
    const { store, workgroups } = this.#options;
    const [rows, { settings }] = await Promise.all([store.all(workgroup), workgroups.get(workgroup)]);
    return new Map(
      ENERGY_CONFIGS.map((name) => {
        const { version = 0, value = null } = rows.get(name) ?? {};
        const read = ENERGY_CONFIG_SCHEMAS[name].safeParse(value ?? {});
        const config = read.success ? read.data : ENERGY_CONFIG_SCHEMAS[name].parse({});
        const zone = settings[TIMEZONE];
        const timezone = name === 'daily-energy-config' && typeof zone === 'string' ? { timezone: zone } : {};
        return [name, { version, value: { ...config, ...timezone } }] as const;
      }),
    );
  }

  /** Throws `request.invalid`, and `energy.config_changed` where the version is not that of the newest save. */
  async set(
    workgroup: string,
    name: EnergyConfigName,
    { value, version }: { value: unknown; version?: number | undefined },
    by: Actor,
  ): Promise<{ version: number; value: unknown }> {
    const { store, audit, history, tell, wake } = this.#options;
    const before = await this.get(workgroup, name);
    const config = this.read(workgroup, name, value, before.value);
    const saved = await store.set(workgroup, name, config, version);
    if (saved === null) {
      const now = await this.get(workgroup, name);
      throw new AppError('energy.config_changed', { yours: String(version), now: String(now.version) });
    }
    await this.#follow(workgroup, name, config);
    const entry = { workgroup, at: Date.now(), controller: 'energy', entity: name, action: 'update' };
    const [oldValue, newValue] = [JSON.stringify(before.value), JSON.stringify(config)];
    if (oldValue !== newValue)
      audit.record({ ...entry, oldValue, newValue, by: by.email, address: by.address });
    const kept = before.version === 0 ? undefined : { name, content: before.value as object };
    await history.keep({ workgroup, kind: 'report', by }, [
      { id: name, name, content: config as object, before: kept },
    ]);
    tell('energy', workgroup);
    await wake();
    return this.get(workgroup, name);
  }

  /** Back to what counts without one. */
  async reset(workgroup: string, name: EnergyConfigName, by: Actor): Promise<void> {
    if ((await this.get(workgroup, name)).version === 0) return;
    await this.set(workgroup, name, { value: {} }, by);
    await this.#options.store.remove(workgroup, name);
  }

  /**
   * A configuration that somebody sent, with its defaults. What it named before may be gone since. Throws `request.invalid`.
   */
  read(workgroup: string, name: EnergyConfigName, value: unknown, before: unknown = null): unknown {
    const read = ENERGY_CONFIG_SCHEMAS[name].safeParse(value ?? {});
    if (!read.success) {
      const issues = requestIssues(read.error.issues).map((one) => ({
        ...one,
        path: ['value', one.path].filter(Boolean).join('.'),
      }));
      throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
    }
    const known = this.#options.registry.inWorkgroup(workgroup).map(({ id }) => id);
    checkConfig(name, read.data, new Set([...known, ...idsIn(before)]));
    return read.data;
  }

  /** Settings that guards of screens read are those of the configurations. */
  async #follow(workgroup: string, name: EnergyConfigName, config: unknown): Promise<void> {
    const { workgroups } = this.#options;
    if (name === 'daily-energy-config')
      await workgroups.setSetting(workgroup, TIMEZONE, (config as EnergyConfigs[typeof name]).timezone);
    if (name === 'performance-ratio-config' || name === 'capacity-factor-config')
      await workgroups.setSetting(workgroup, 'perfRatio', true);
    if (name === 'meter-data-config')
      await workgroups.setSetting(
        workgroup,
        'meterSites',
        (config as EnergyConfigs[typeof name]).sites.length > 0,
      );
  }
}

const idsIn = (value: unknown): string[] =>
  JSON.stringify(value ?? null).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];

/** Roles without those that a device measures which somebody does not see. */
const withoutHidden = (roles: Partial<Record<string, RoleOrigin>>, scope: Caller['devices']) =>
  Object.fromEntries(
    Object.entries(roles).filter(
      ([, origin]) => origin?.from !== 'field' || origin.device === undefined || scope.has(origin.device),
    ),
  );

/** What of a configuration is about devices of a member of a device group. */
function narrowed(value: unknown, { devices: scope }: Pick<Caller, 'devices'>): unknown {
  const config = value as Partial<
    EnergyConfigs['meter-data-config'] &
      EnergyConfigs['availability-config'] &
      EnergyConfigs['mppt-extract-config'] &
      EnergyConfigs['performance-ratio-config']
  >;
  const { codes, sites, exclusions, roles, devices, entities, mppt, irradiation } = config;
  const own = codes && sites ? new Set(visibleCodes({ devices: scope }, { codes, sites })) : null;
  return {
    ...config,
    ...(own && codes && { codes: codes.filter(({ code }) => own.has(code)) }),
    ...(own &&
      sites && {
        sites: sites
          .filter((site) => isOwnSite(scope, site))
          .map((site) => ({ ...site, codes: site.codes.filter((code) => own.has(code)) })),
      }),
    ...(exclusions && {
      exclusions: exclusions.filter(({ deviceId }) => deviceId === null || scope.has(deviceId)),
    }),
    ...(roles && { roles: withoutHidden(roles, scope) }),
    ...(devices && {
      devices: Object.fromEntries(
        Object.entries(devices).flatMap(([id, own]) =>
          scope.has(id) ? [[id, withoutHidden(own, scope)] as const] : [],
        ),
      ),
    }),
    ...(entities && { entities: {} }),
    ...(mppt && { mppt: { ...mppt, recipients: [] } }),
    ...(irradiation && { irradiation: { ...irradiation, recipients: [] } }),
  };
}
