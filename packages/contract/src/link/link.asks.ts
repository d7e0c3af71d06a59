import { z } from 'zod';
import { busAddress, machinePlace, machineReading, registerMap } from '../commissioning/machines.schema.ts';
import { BACKUP_LIMITS, backedUpPlugin } from '../device-backups/device-backups.schema.ts';
import {
  CONFIG_LENGTH,
  configApplied,
  configCheck,
  deviceConfig,
} from '../device-config/device-config.schema.ts';
import { devicePath, folderListing } from '../device-files/device-files.schema.ts';
import { devicesIssues } from '../devices/devices.errors.ts';
import { PHOTO_LIMITS, waitingPhoto } from '../photos/photos.schema.ts';
import {
  activity,
  argumentFiles,
  INSTALL_STEPS,
  oldActivity,
  pluginName,
  pluginState,
  pluginVersion,
  runInterval,
  serialLine,
  serviceFile,
  serviceName,
  taskName,
} from '../plugins/plugins.schema.ts';
import { SCHEDULE_LIMITS } from '../schedules/schedules.names.ts';
import { signedOrder } from '../schedules/schedules.order.ts';
import {
  inverterFollows,
  rehearsalOnDevice,
  scheduleEntry,
  setpointPath,
} from '../schedules/schedules.schema.ts';
import { SETPOINT_KINDS } from '../schedules/setpoints.ts';
import { signedManifest, UPGRADE_STEPS, upgradeReadiness } from '../upgrades/upgrades.schema.ts';
import {
  address,
  foundModbus,
  foundPort,
  neighbour,
  networkInterface,
  openService,
  scanPorts,
  scanTargets,
} from './link.network.ts';

/**
 * What the cloud can ask of a device, each kind declared once: what it needs, what it says meanwhile (`tell`), and what
 * it ends with. Everything that comes from a device is checked against this before anybody sees it.
 */
export interface DeviceAsk {
  readonly input: z.ZodType;
  readonly tell?: z.ZodType;
  readonly result: z.ZodType;
  /** The longest that it may take, ms. */
  readonly limitMs: number;
}

const MINUTE_MS = 60_000;
/** Bytes of one file of a publication at most. */
const PUBLICATION_BYTES = 256 * 1024 * 1024;

const short = z.string().max(1000);
const ownEntry = scheduleEntry.omit({ path: true });
const onTask = { plugin: pluginName, name: taskName, frequency: runInterval };
const activityLogs = z.array(z.object({ source: short, text: z.string().max(250_000) })).max(20);
/** Common name and serial number (hexadecimal) of a certificate. */
const certified = z.object({ device: z.string().max(100), serial: z.string().regex(/^[0-9a-f]{1,64}$/) });

const progress = z.object({ done: z.number().min(0).max(1) });

export const deviceAsks = {
  'config.read': { input: z.object({}), result: deviceConfig, limitMs: 15_000 },
  'config.test': {
    input: z.object({ text: z.string().max(CONFIG_LENGTH) }),
    result: configCheck,
    limitMs: 30_000,
  },
  'config.apply': {
    input: z.object({
      text: z.string().max(CONFIG_LENGTH),
      /** Hash of the configuration that was edited; another one by now is not written over. */
      over: z.string().nullable(),
    }),
    result: configApplied,
    limitMs: MINUTE_MS,
  },
  shell: {
    input: z.object({
      cols: z.number().int().min(2).max(500),
      rows: z.number().int().min(1).max(300),
    }),
    /** To the device: the size of the window, or that all in it ends at once, without time to leave. */
    tell: z.union([
      z.object({ cols: z.number().int().min(2).max(500), rows: z.number().int().min(1).max(300) }),
      z.object({ isCutOff: z.literal(true) }),
    ]),
    result: z.object({ exitCode: z.number().int().nullable() }),
    limitMs: 12 * 60 * MINUTE_MS,
  },
  'files.list': { input: z.object({ path: devicePath }), result: folderListing, limitMs: 30_000 },
  'files.read': {
    input: z.object({ path: devicePath, from: z.number().int().min(0) }),
    tell: z.object({ size: z.number().int().min(0), changedAt: z.number() }),
    result: z.object({ bytes: z.number().int().min(0) }),
    limitMs: 6 * 60 * MINUTE_MS,
  },
  /** How much of a file of this content is there already. */
  'files.part': {
    input: z.object({ path: devicePath, hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    result: z.object({ bytes: z.number().int().min(0) }),
    limitMs: 15_000,
  },
  /** Takes the bytes from `from` on; the file is there under its name once all of them are and the hash is right. */
  'files.write': {
    input: z.object({
      path: devicePath,
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      size: z.number().int().min(0),
      from: z.number().int().min(0),
    }),
    result: z.object({ isComplete: z.boolean(), bytes: z.number().int().min(0) }),
    limitMs: 6 * 60 * MINUTE_MS,
  },
  /** Who the device is by the certificate of this very connection. */
  'identity.read': { input: z.object({}), result: certified, limitMs: 10_000 },
  /** Makes a new private key on the device, and proves that it has it: an ECDSA signature over the challenge, base64. */
  'identity.key': {
    input: z.object({ challenge: z.string().min(32).max(200) }),
    result: z.object({ publicKey: z.string().max(2000), signature: z.string().max(400) }),
    limitMs: 15_000,
  },
  /** A certificate for the key of `identity.key`, PEM. Once it is answered the device connects with it, or with the old one. */
  'identity.install': {
    input: z.object({ certificate: z.string().max(10_000) }),
    result: certified,
    limitMs: MINUTE_MS,
  },
  'network.read': {
    input: z.object({}),
    result: z.object({
      hostname: z.string().max(255),
      interfaces: z.array(networkInterface).max(200),
      gateway: address.nullable(),
      nameServers: z.array(address).max(20),
      neighbours: z.array(neighbour).max(2000),
    }),
    limitMs: 15_000,
  },
  'network.services': {
    input: z.object({}),
    result: z.object({ services: z.array(openService).max(2000) }),
    limitMs: 30_000,
  },
  'scan.ports': {
    input: z.object({ targets: scanTargets, ports: scanPorts }),
    tell: progress,
    result: z.object({ hosts: z.number().int(), ports: z.array(foundPort).max(5000) }),
    limitMs: 10 * MINUTE_MS,
  },
  'scan.arp': {
    input: z.object({ targets: scanTargets }),
    tell: progress,
    result: z.object({ neighbours: z.array(neighbour).max(5000) }),
    limitMs: 5 * MINUTE_MS,
  },
  'scan.modbus': {
    input: z.object({
      targets: scanTargets,
      port: z.number().int().min(1).max(65_535),
      units: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .regex(/^[0-9, -]+$/, devicesIssues['issue.scan_bus_addresses']),
    }),
    tell: progress,
    result: z.object({ found: z.array(foundModbus).max(2000) }),
    limitMs: 30 * MINUTE_MS,
  },
  /** Reads machines once with a plugin of the agent pack; nothing is kept. */
  'machines.read': {
    input: z.object({ ...machinePlace, units: z.array(busAddress).min(1).max(250), registerMap }),
    result: z.object({
      machines: z.array(machineReading).max(250),
      problems: z.array(short).max(100),
      tookMs: z.number().min(0),
    }),
    limitMs: 2 * MINUTE_MS,
  },
  /** Keeps what plugins need to read machines, as files of its own folder; answers where everything lies on this disk. */
  'machines.keep': {
    input: z.object({
      id: z.uuid(),
      /** Lines that name sources, for all plugins. */
      sourceMap: z.string().max(100_000),
      registerMap,
    }),
    result: z.object({
      programs: z.object({ sunspec: devicePath, modbus: devicePath }),
      sourceMap: devicePath,
      registerMap: devicePath,
      logs: devicePath,
    }),
    limitMs: 15_000,
  },
  /** A connection of the device to a port of itself or of its network. */
  tunnel: {
    input: z.object({
      host: z.string().min(1).max(255),
      port: z.number().int().min(1).max(65_535),
      /** Networks that it does not lead into, whatever the device allows. */
      never: z.array(z.string().max(80)).max(200).default([]),
    }),
    /** It is connected; bytes follow. */
    tell: z.object({ isConnected: z.literal(true) }),
    result: z.object({}),
    limitMs: 12 * 60 * MINUTE_MS,
  },
  /** Its bytes are gzip of JSON: configuration, tasks, services and plugin state. */
  'backup.read': {
    input: z.object({}),
    result: z.object({
      bytes: z.number().int().min(0).max(BACKUP_LIMITS.bytes),
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      files: z.number().int().min(0),
    }),
    limitMs: 10 * MINUTE_MS,
  },
  /** Takes the bytes of a backup; the device is in the old state or in the new one. */
  'backup.restore': {
    input: z.object({
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      size: z.number().int().min(1).max(BACKUP_LIMITS.bytes),
    }),
    result: z.object({
      files: z.number().int().min(0),
      /** Plugins that it had at the time of the backup and has no more. */
      missing: z.array(backedUpPlugin).max(BACKUP_LIMITS.plugins).default([]),
    }),
    limitMs: 10 * MINUTE_MS,
  },
  'upgrade.check': { input: z.object({}), result: upgradeReadiness, limitMs: 20_000 },
  /** Takes the files of the manifest one after the other; once it is done the agent starts again as the new version. */
  'upgrade.install': {
    input: signedManifest.extend({ trialMinutes: z.number().int().min(1).max(60) }),
    tell: z.object({ step: z.enum(UPGRADE_STEPS) }),
    result: z.object({ version: z.string().max(60) }),
    limitMs: 30 * MINUTE_MS,
  },
  /** The new version has reported in: it stays. */
  'upgrade.confirm': {
    input: z.object({ id: z.uuid() }),
    result: z.object({ isConfirmed: z.boolean() }),
    limitMs: 15_000,
  },
  'plugins.read': { input: z.object({}), result: pluginState, limitMs: 15_000 },
  /** Takes the files of a publication one after the other; the device checks their signatures itself. */
  'plugins.install': {
    input: z.object({
      name: pluginName,
      version: pluginVersion,
      files: z
        .array(
          z.object({
            path: z.string().regex(/^(?:metadata|targets)(?:\/[a-z0-9][a-z0-9._-]{0,80}){1,3}$/),
            size: z.number().int().min(0).max(PUBLICATION_BYTES),
          }),
        )
        .min(1)
        .max(100),
    }),
    tell: z.object({ step: z.enum(INSTALL_STEPS), state: pluginState.optional() }),
    result: pluginState,
    limitMs: 30 * MINUTE_MS,
  },
  'plugins.remove': { input: z.object({ name: pluginName }), result: pluginState, limitMs: 5 * MINUTE_MS },
  /** Starts or stops all services of a plugin; their files stay. */
  'services.run': {
    input: z.object({ plugin: pluginName, isOn: z.boolean() }),
    result: pluginState,
    limitMs: MINUTE_MS,
  },
  'services.put': {
    input: z.object({
      plugin: pluginName,
      name: serviceName,
      file: serviceFile,
      isDisabled: z.boolean(),
      files: argumentFiles,
    }),
    result: pluginState,
    limitMs: MINUTE_MS,
  },
  'services.remove': {
    input: z.object({ plugin: pluginName, name: serviceName }),
    result: pluginState,
    limitMs: MINUTE_MS,
  },
  /** Writes an activity and takes away the one before, in one step that is never half done. */
  'activities.put': {
    input: z.object({ plugin: pluginName, activity, replaces: oldActivity.nullable() }),
    result: pluginState,
    limitMs: MINUTE_MS,
  },
  'tasks.switch': {
    input: z.object({ ...onTask, isDisabled: z.boolean() }),
    result: pluginState,
    limitMs: 30_000,
  },
  'tasks.remove': { input: z.object(onTask), result: pluginState, limitMs: 30_000 },
  'tasks.logs': {
    input: z.object(onTask),
    result: z.object({ logs: activityLogs }),
    limitMs: 30_000,
  },
  'services.logs': {
    input: z.object({ plugin: pluginName, name: serviceName }),
    result: z.object({ logs: activityLogs }),
    limitMs: 30_000,
  },
  /** Photos that wait on the device, newest first. */
  'photos.list': {
    input: z.object({}),
    result: z.object({ photos: z.array(waitingPhoto).max(PHOTO_LIMITS.told) }),
    limitMs: 15_000,
  },
  /** The bytes of one of them, from `from` on. */
  'photos.read': {
    input: z.object({ id: z.uuid(), from: z.number().int().min(0) }),
    result: z.object({ bytes: z.number().int().min(0) }),
    limitMs: 30 * MINUTE_MS,
  },
  /** The cloud has stored these, or will never take them: the device forgets them. */
  'photos.forget': {
    input: z.object({ ids: z.array(z.uuid()).min(1).max(PHOTO_LIMITS.told) }),
    result: z.object({}),
    limitMs: 15_000,
  },
  /** The serial lines of the machine, as its command albedoctl lists them. Fails at the step `tool` where that is missing. */
  'serial.list': {
    input: z.object({}),
    result: z.object({ lines: z.array(serialLine).max(200) }),
    limitMs: 30_000,
  },
  /** The setpoints of the control plugin and the schedules that lie there. Fails at the step `plugin` where there is none. */
  'schedules.read': {
    input: z.object({}),
    result: z.object({
      setpoints: z
        .array(
          z.object({
            path: setpointPath,
            kind: z.enum(SETPOINT_KINDS),
            type: z.enum(['fixed', 'schedule']),
            isEnabled: z.boolean(),
            value: z.string().max(60).nullable(),
            fault: z.string().max(1000).nullable(),
            /** The entries of its file; null if there is no file, or it cannot be read. */
            entries: z.array(ownEntry).max(SCHEDULE_LIMITS.entries).nullable(),
            /** Of the order that the file was made of; null where it is of none. */
            version: z.number().int().nullable(),
            /** Of the newest order that the device took for it, whatever lies there now: it refuses older ones. */
            newest: z.number().int().nullable().default(null),
          }),
        )
        .max(200),
    }),
    limitMs: 30_000,
  },
  /** What a schedule would do, said by the plugin, which reads its inverters and writes nothing. */
  'schedules.rehearse': {
    input: z.object({ path: setpointPath, entries: z.array(ownEntry).max(SCHEDULE_LIMITS.entries) }),
    result: rehearsalOnDevice,
    limitMs: MINUTE_MS,
  },
  /**
   * Takes a signed order. Answers once the file lies there as ordered (its SHA-256, null where there is none by now) and
   * is read back. Refuses what is not signed, for another device, of an older version, or out of its time.
   */
  'schedules.order': {
    input: z.object({ order: signedOrder }),
    result: z.object({
      version: z.number().int(),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .nullable(),
    }),
    limitMs: 15_000,
  },
  /** What each inverter makes of a setpoint: told when it changes, and answered when all can be told or the time is over. */
  'schedules.watch': {
    input: z.object({
      path: setpointPath,
      version: z.number().int(),
      forMs: z
        .number()
        .int()
        .min(0)
        .max(10 * MINUTE_MS),
    }),
    tell: z.object({ inverters: z.array(inverterFollows).max(500) }),
    result: z.object({
      /** What the setpoint says now. */
      value: z.string().max(60).nullable(),
      version: z.number().int().nullable(),
      inverters: z.array(inverterFollows).max(500),
    }),
    limitMs: 11 * MINUTE_MS,
  },
  /** Puts a tool of the agent where the device finds it as a command. */
  'tools.place': {
    input: z.object({ tool: z.enum(['ardpkg', 'albedoctl']) }),
    result: z.object({ version: z.string().max(60) }),
    // Source: specification 2, section 9.
    limitMs: 30 * MINUTE_MS,
  },
} as const satisfies Record<string, DeviceAsk>;

export type AskKind = keyof typeof deviceAsks;
export type AskInput<K extends AskKind> = z.output<(typeof deviceAsks)[K]['input']>;
export type AskResult<K extends AskKind> = z.output<(typeof deviceAsks)[K]['result']>;
export type AskTell<K extends AskKind> = (typeof deviceAsks)[K] extends { tell: infer T extends z.ZodType }
  ? z.output<T>
  : never;

/**
 * Names of what a device refuses with: what it was asked it does not know, may not do by its own configuration, cannot
 * do on this machine, or was wrong in itself; `gone`: it does not know of the exchange any more.
 */
export type AskFailure = 'unknown' | 'refused' | 'unable' | 'invalid' | 'changed' | 'gone' | 'busy';
