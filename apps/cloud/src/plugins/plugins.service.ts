import type { AskInput, AskKind } from '@albedo/contract/link/link.asks';
import type {
  Activity,
  DevicePlugin,
  InstallStep,
  OldActivity,
  PluginDetail,
  PluginListing,
  PluginSpec,
  PluginState,
  SerialLine,
} from '@albedo/contract/plugins/plugins.schema';
import type { Actor } from '../access/actor.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { DeviceBackups } from '../device-backups/device-backups.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { PluginsCatalog } from './plugins.catalog.ts';
import {
  demandKnownOfTask,
  demandMandatory,
  demandMandatoryOfTask,
  demandSourceMaps,
} from './plugins.checks.ts';
import { as, installFailure, lacksTool } from './plugins.failures.ts';
import type { PluginsStore } from './plugins.store.ts';
import { type PluginChange, pluginChanged } from './plugins.topics.ts';

export interface PluginsOptions {
  store: PluginsStore;
  catalog: PluginsCatalog;
  deviceAsks: DeviceAsks;
  health: Pick<Health, 'of'>;
  /** Makes one of the device before something is changed that cannot be undone by a click. */
  deviceBackups: Pick<DeviceBackups, 'create'>;
  audit: Audit;
  bus: Bus;
}

/** The device of a call, and who calls. */
export interface PluginsOn {
  workgroup: string;
  device: string;
  by: Actor;
  signal: AbortSignal;
}

/** Kinds of asks that change something and answer what there is then. */
type ChangeKind =
  | 'plugins.remove'
  | 'services.run'
  | 'services.put'
  | 'services.remove'
  | 'activities.put'
  | 'tasks.switch'
  | 'tasks.remove';

/** A task that is there. */
type OnTask = Pick<AskInput<'tasks.remove'>, 'plugin' | 'name' | 'frequency'>;

/**
 * Plugins: what the publisher offers, what workgroups may install, and what devices have. This server sends packages; what
 * is in them is between the publisher and the device.
 */
export class Plugins {
  readonly #options: PluginsOptions;

  constructor(options: PluginsOptions) {
    this.#options = options;
  }

  list(): Promise<PluginListing[]> {
    return this.#options.catalog.list();
  }

  /** Throws `plugin.not_found`. */
  async get(workgroup: string, name: string, version?: string): Promise<PluginDetail> {
    const found = await this.#options.catalog.get(name, version);
    return { ...found, isAvailable: await this.#isAvailable(workgroup, found) };
  }

  async installed(workgroup: string, scope: Pick<DeviceScope, 'has'>): Promise<DevicePlugin[]> {
    return (await this.#options.store.installed(workgroup)).filter(({ deviceId }) => scope.has(deviceId));
  }

  /** Asks the device, and remembers what it says. Throws `plugin.activities_unread`. */
  async read({
    device,
    signal,
  }: Pick<PluginsOn, 'device' | 'signal'>): Promise<PluginState & { os: string | null }> {
    const state = await this.#options.deviceAsks.ask(device, 'plugins.read', {}, { signal }).catch(as());
    await this.#options.store.keep(device, state.plugins);
    return { ...state, os: this.#options.health.of(device).os };
  }

  /**
   * Installs a version, the newest by default. The device stops the services of the plugin, replaces it, tells what it has,
   * and starts them again; where that fails, what it had goes on.
   *
   * Throws `plugin.not_found`, `plugin.not_available`, `plugin.temporary_failed`, `plugin.stop_failed`,
   * `plugin.install_failed` (`plugin.ardpkg_failed` where there was none before), `plugin.start_failed`, and what `DeviceAsks` throws.
   */
  async install(on: PluginsOn, name: string, wanted?: string): Promise<PluginState> {
    const { catalog, deviceAsks, store } = this.#options;
    const found = await this.get(on.workgroup, name, wanted);
    if (!found.isAvailable) throw new AppError('plugin.not_available', { name: found.title });
    const { version } = found.spec;
    const before = (await this.read(on)).plugins.find((one) => one.name === name)?.version ?? null;
    const files = await catalog.publication(name, version);
    let step: InstallStep = 'receiving';
    let listing: Promise<void> = Promise.resolve();
    const asked = deviceAsks.open(
      on.device,
      'plugins.install',
      { name, version, files: files.map(({ path, bytes }) => ({ path, size: bytes.length })) },
      {
        // Carried to its end when the browser goes: the device decides what it ends with.
        onTell: (told) => {
          step = told.step;
          if (told.state) listing = store.keep(on.device, told.state.plugins);
        },
      },
    );
    const sending = (async () => {
      for (const { bytes } of files) await asked.write(bytes);
      await asked.end();
    })();
    // The device may refuse while it is still being sent to; its reason is the one that counts.
    sending.catch(() => {});
    const action = before === null ? 'install' : 'upgrade';
    const change = { action, attribute: name, oldValue: before, newValue: version };
    try {
      const state = await asked.result;
      await listing;
      await store.keep(on.device, state.plugins);
      this.#record(on, change);
      this.#tell(on, { plugin: name, action, activity: null });
      return state;
    } catch (error) {
      this.#record(on, { ...change, status: 'failed' });
      throw installFailure(step, error, before !== null);
    }
  }

  async remove(on: PluginsOn, name: string): Promise<PluginState> {
    const state = await this.#change(on, 'plugins.remove', { name }, 'remove', name).catch(as());
    await this.#options.store.keep(on.device, state.plugins);
    return state;
  }

  startServices(on: PluginsOn, plugin: string): Promise<PluginState> {
    return this.#change(on, 'services.run', { plugin, isOn: true }, 'start', plugin).catch(
      as('plugin.service_start_failed'),
    );
  }

  stopServices(on: PluginsOn, plugin: string): Promise<PluginState> {
    return this.#change(on, 'services.run', { plugin, isOn: false }, 'stop', plugin).catch(
      as('plugin.service_stop_failed'),
    );
  }

  /** With `replaces` that activity goes in the same step; where the service does not run, it is back. */
  async putService(
    on: PluginsOn,
    { replaces, ...input }: AskInput<'services.put'> & { replaces: OldActivity | undefined },
  ): Promise<PluginState> {
    const { plugin, name, ...service } = input;
    const spec = await this.#specOn(on, plugin);
    demandSourceMaps(spec, input.files);
    if (!input.isDisabled) demandMandatory(spec, input.file);
    const action = input.isDisabled ? 'disable_service' : 'activate_service';
    const failed = as('plugin.service_invalid');
    if (!replaces) return this.#change(on, 'services.put', input, action, plugin, name).catch(failed);
    if (replaces.type === 'task') await this.#backUp(on);
    const saved = { plugin, activity: { type: 'service' as const, name, ...service }, replaces };
    return this.#change(on, 'activities.put', saved, action, plugin, name).catch(failed);
  }

  /** The device is backed up before. Throws `plugin.task_failed`, and what it refuses with. */
  async putTask(
    on: PluginsOn,
    plugin: string,
    task: Omit<Extract<Activity, { type: 'task' }>, 'type'>,
    replaces: OldActivity | undefined,
  ): Promise<PluginState> {
    const spec = await this.#specOn(on, plugin);
    demandSourceMaps(spec, task.files);
    demandKnownOfTask(spec, task.arguments);
    if (!task.isDisabled) demandMandatoryOfTask(spec, task.arguments);
    await this.#backUp(on);
    const saved = { plugin, activity: { type: 'task' as const, ...task }, replaces: replaces ?? null };
    const action = task.isDisabled ? 'disable_task' : 'activate_task';
    return this.#change(on, 'activities.put', saved, action, plugin, `${task.frequency}/${task.name}`).catch(
      as('plugin.task_failed'),
    );
  }

  async switchTask(on: PluginsOn, task: OnTask, isDisabled: boolean): Promise<PluginState> {
    await this.#backUp(on);
    const action = isDisabled ? 'disable_task' : 'activate_task';
    return this.#change(on, 'tasks.switch', { ...task, isDisabled }, action, task.plugin, named(task)).catch(
      as('plugin.activity_not_found'),
    );
  }

  removeTask(on: PluginsOn, task: OnTask): Promise<PluginState> {
    return this.#change(on, 'tasks.remove', task, 'remove_task', task.plugin, named(task)).catch(
      as('plugin.activity_not_found'),
    );
  }

  async taskLogs({ device, signal }: PluginsOn, task: OnTask) {
    const asked = this.#options.deviceAsks.ask(device, 'tasks.logs', task, { signal });
    return (await asked.catch(as('plugin.activity_not_found'))).logs;
  }

  removeService(on: PluginsOn, plugin: string, name: string): Promise<PluginState> {
    return this.#change(on, 'services.remove', { plugin, name }, 'remove_service', plugin, name).catch(
      as('plugin.service_remove_failed'),
    );
  }

  async logs({ device, signal }: PluginsOn, plugin: string, name: string) {
    const asked = this.#options.deviceAsks.ask(device, 'services.logs', { plugin, name }, { signal });
    return (await asked.catch(as('plugin.activity_not_found'))).logs;
  }

  /** Throws `plugin.serial_failed`, and `plugin.serial_tool_failed` where the tool is missing and cannot be sent. */
  async serialLines(on: PluginsOn): Promise<SerialLine[]> {
    const { device, signal } = on;
    const list = () => this.#options.deviceAsks.ask(device, 'serial.list', {}, { signal });
    try {
      return (await list()).lines;
    } catch (error) {
      if (!lacksTool(error)) return as('plugin.serial_failed')(error);
    }
    await this.sendTool(on, 'albedoctl').catch(as('plugin.serial_tool_failed'));
    return (await list().catch(as('plugin.serial_failed'))).lines;
  }

  async sendTool(on: PluginsOn, tool: 'ardpkg' | 'albedoctl'): Promise<{ version: string }> {
    this.#record(on, { action: 'send', attribute: tool });
    return this.#options.deviceAsks.ask(on.device, 'tools.place', { tool }, { signal: on.signal });
  }

  /** Source: specification 2, section 4: an archive is made before a task is saved. */
  async #backUp({ workgroup, device, by, signal }: PluginsOn): Promise<void> {
    await this.#options.deviceBackups.create({ workgroup, device, by, signal }, 'before');
  }

  async #isAvailable(workgroup: string, { name, labels }: PluginListing): Promise<boolean> {
    const allowed = await this.#options.store.allowed(workgroup);
    return (
      allowed !== null &&
      (allowed.plugins.includes(name) || labels.some((one) => allowed.labels.includes(one)))
    );
  }

  /** Of the version that the device has; null where that was not published here. */
  async #specOn({ workgroup, device }: PluginsOn, plugin: string): Promise<PluginSpec | null> {
    const { store, catalog } = this.#options;
    const mine = (await store.installed(workgroup)).find(
      (one) => one.deviceId === device && one.name === plugin,
    );
    if (!mine?.version) return null;
    return catalog.get(plugin, mine.version).then(
      ({ spec }) => spec,
      () => null,
    );
  }

  async #change<K extends ChangeKind & AskKind>(
    on: PluginsOn,
    kind: K,
    input: AskInput<K>,
    action: string,
    plugin: string,
    newValue: string | null = null,
  ): Promise<PluginState> {
    const change = { action, attribute: plugin, newValue };
    try {
      const state = (await this.#options.deviceAsks.ask(on.device, kind, input, {
        signal: on.signal,
      })) as PluginState;
      this.#record(on, change);
      this.#tell(on, { plugin, action, activity: newValue === plugin ? null : newValue });
      return state;
    } catch (error) {
      this.#record(on, { ...change, status: 'failed' });
      throw error;
    }
  }

  #tell(
    { workgroup, device, by }: PluginsOn,
    what: Pick<PluginChange, 'plugin' | 'action' | 'activity'>,
  ): void {
    const change = { workgroup, device, by: by.email, at: Date.now(), ...what };
    void this.#options.bus.publish(pluginChanged, change);
  }

  #record(
    { workgroup, device, by }: PluginsOn,
    what: {
      action: string;
      attribute: string;
      oldValue?: string | null;
      newValue?: string | null;
      status?: 'failed';
    },
  ): void {
    const who = { by: by.email, address: by.address };
    const entry = { workgroup, device, at: Date.now(), controller: 'plugin', entity: 'plugin' };
    this.#options.audit.record({ ...entry, oldValue: null, newValue: null, ...what, ...who });
  }
}

const named = ({ name, frequency }: OnTask): string => `${frequency}/${name}`;
