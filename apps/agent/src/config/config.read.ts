import { readFileSync } from 'node:fs';
import { dynamicTail, runDir, scenarioSchemas } from '@albedo/contract/device-config/scenarios.schema';
import { type Field, field } from '@albedo/contract/devices/meta.schema';
import { RUN_INTERVALS, type RunInterval } from '@albedo/contract/plugins/plugins.schema';
import { PRODUCT } from '@albedo/contract/product';
import { type Document, isAlias, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { messageOf } from '../log.ts';
import {
  type DynamicTail,
  globalKeys,
  IGNORED_KEYS,
  type MqttConfig,
  type RemoteConfig,
  type RunDir,
  type RunScenario,
  type SocketScenario,
  type TailScenario,
  type WatchScenario,
} from './config.schema.ts';

/** A scenario as the agent runs it, with the name of the shared field list it was written with. */
export type Anchored<T> = T & { fieldAnchor?: string };

export interface AgentConfig {
  mqtt: MqttConfig;
  outbox: { limit_mb: number; limit_days: number };
  photos: { limit_mb: number };
  /** Whether the machine is measured; `own` measures only what the agent uses of it. */
  machine: boolean | 'own';
  debug: boolean;
  /** What people may do by hand over the cloud. */
  remote: RemoteConfig;
  run: Anchored<RunScenario>[];
  tail: Anchored<TailScenario>[];
  watch: WatchScenario[];
  unix_socket: Anchored<SocketScenario>[];
  dynamic_tail: DynamicTail[];
  run_dir: RunDir[];
  /** Shared field lists by anchor. */
  anchors: Record<string, Field[]>;
}

export interface ConfigFault {
  table: string | null;
  source: string | null;
  message: string;
}

/** The file as a whole cannot be used; the message names file, line and key. */
export class ConfigError extends Error {}

const LISTS = ['run', 'tail', 'watch', 'unix_socket', 'dynamic_tail', 'run_dir'] as const;

export function readConfigText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`The configuration ${file} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * The configuration in `text`, and what is wrong with single entries of it, which are left out.
 *
 * Throws ConfigError when the file is no YAML, or a global key such as `mqtt` is wrong.
 */
export function parseConfig(text: string, file: string): { config: AgentConfig; faults: ConfigFault[] } {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines });
  const broken = doc.errors[0];
  if (broken) throw new ConfigError(`${file}, line ${broken.linePos?.[0].line ?? '?'}: ${firstLine(broken)}`);
  if (!isMap(doc.contents)) throw new ConfigError(`${file}, line 1: must be a map of keys and values`);
  const reader = new Reader(doc, lines, file);
  return { config: reader.config(), faults: reader.faults };
}

/** The section `mqtt` of a configuration, as JSON; null for one that cannot be read. */
export function linkOf(text: string): string | null {
  try {
    return JSON.stringify(parseConfig(text, '').config.mqtt);
  } catch {
    return null;
  }
}

class Reader {
  readonly faults: ConfigFault[] = [];
  readonly #anchors: Record<string, Field[]> = {};
  readonly #doc: Document;
  readonly #lines: LineCounter;
  readonly #file: string;
  readonly #values: Record<string, unknown>;

  constructor(doc: Document, lines: LineCounter, file: string) {
    this.#doc = doc;
    this.#lines = lines;
    this.#file = file;
    try {
      this.#values = doc.toJS({ maxAliasCount: 100_000 });
    } catch (error) {
      throw new ConfigError(`${file}: ${messageOf(error)}`);
    }
  }

  config(): AgentConfig {
    this.#checkKeys();
    return {
      mqtt: this.#global('mqtt'),
      outbox: this.#global('outbox'),
      photos: this.#global('photos'),
      machine: this.#global('machine'),
      debug: Boolean(this.#global('debug')),
      remote: this.#global('remote'),
      run: this.#scenarios('run').filter((one, at) => this.#hasSchedule(one, at)),
      tail: this.#scenarios('tail'),
      watch: this.#scenarios('watch'),
      unix_socket: this.#scenarios('unix_socket'),
      dynamic_tail: this.#folders('dynamic_tail', dynamicTail) ?? [
        { directory: `/opt/${PRODUCT}/logs`, filename: 'latest.csv' },
      ],
      run_dir: this.#folders('run_dir', runDir) ?? standardRunDirs(),
      anchors: this.#anchors,
    };
  }

  /** Every other top-level key must be a shared list of fields. */
  #checkKeys(): void {
    const known = new Set<string>([...Object.keys(globalKeys), ...LISTS, ...IGNORED_KEYS]);
    for (const [key, value] of Object.entries(this.#values)) {
      if (known.has(key)) continue;
      if (z.array(field).safeParse(value).success) continue;
      this.#fault([key], `unknown key "${key}"`);
    }
  }

  #global<K extends keyof typeof globalKeys>(key: K): z.output<(typeof globalKeys)[K]> {
    const parsed = globalKeys[key].safeParse(this.#values[key]);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const path = [key, ...(issue?.path ?? [])];
      throw new ConfigError(`${this.#where(path)}: ${path.join('.')}: ${issue?.message}`);
    }
    const value = this.#values[key];
    if (value && typeof value === 'object' && parsed.data && typeof parsed.data === 'object') {
      for (const inner of Object.keys(value)) {
        if (!(inner in parsed.data)) this.#fault([key, inner], `unknown key "${key}.${inner}"`);
      }
    }
    return parsed.data as z.output<(typeof globalKeys)[K]>;
  }

  #scenarios<K extends keyof typeof scenarioSchemas>(
    kind: K,
  ): Anchored<z.output<(typeof scenarioSchemas)[K]>>[] {
    const schema = scenarioSchemas[kind];
    return this.#entries(kind).flatMap(([value, at]) => {
      const parsed = schema.safeParse(value);
      if (!parsed.success) return this.#refuse(kind, at, value, parsed.error.issues[0]);
      this.#noteUnknown(kind, at, value, Object.keys(schema.shape));
      const scenario = parsed.data as Anchored<z.output<(typeof scenarioSchemas)[K]>>;
      if ('expect' in scenario && scenario.expect === 'csv' && !('fields' in scenario && scenario.fields)) {
        return this.#refuse(kind, at, value, { path: ['fields'], message: 'expect: csv needs fields' });
      }
      const anchor = this.#anchorOf([kind, at, 'fields']);
      if (anchor !== null && 'fields' in scenario && scenario.fields) {
        scenario.fieldAnchor = anchor;
        this.#anchors[anchor] = scenario.fields;
      }
      return [scenario];
    });
  }

  #folders<T extends z.ZodObject>(kind: 'dynamic_tail' | 'run_dir', schema: T): z.output<T>[] | null {
    if (this.#values[kind] === undefined) return null;
    return this.#entries(kind).flatMap(([value, at]) => {
      const parsed = schema.safeParse(value);
      if (!parsed.success) return this.#refuse(kind, at, value, parsed.error.issues[0]);
      this.#noteUnknown(kind, at, value, Object.keys(schema.shape));
      return [parsed.data];
    });
  }

  #entries(kind: string): [unknown, number][] {
    const list = this.#values[kind] ?? [];
    if (Array.isArray(list)) return list.map((value, at) => [value, at]);
    this.#fault([kind], `${kind} must be a list`);
    return [];
  }

  #hasSchedule(scenario: RunScenario, at: number): boolean {
    if ((scenario.frequency === undefined) !== (scenario.at === undefined)) return true;
    this.#fault(['run', at], 'run needs either "frequency" or "at"', scenario);
    return false;
  }

  #noteUnknown(kind: string, at: number, value: unknown, known: string[]): void {
    if (!value || typeof value !== 'object') return;
    for (const key of Object.keys(value)) {
      if (!known.includes(key))
        this.#fault([kind, at, key], `unknown key "${key}" in ${kind} entry ${at + 1}`, value);
    }
  }

  #refuse(
    kind: string,
    at: number,
    value: unknown,
    issue: { path: PropertyKey[]; message: string } | undefined,
  ): [] {
    const path = [kind, at, ...(issue?.path ?? [])];
    const key = issue?.path.length ? ` key "${issue.path.map(String).join('.')}"` : '';
    this.#fault(path, `${kind} entry ${at + 1}${key} is left out: ${issue?.message}`, value);
    return [];
  }

  #fault(path: PropertyKey[], message: string, scenario?: unknown): void {
    const named = z.object({ table: z.string(), source: z.string() }).safeParse(scenario);
    this.faults.push({
      table: named.data?.table ?? null,
      source: named.data?.source ?? null,
      message: `${this.#where(path)}: ${message}`,
    });
  }

  /** File and line of a key, or of the nearest thing around it that exists. */
  #where(path: PropertyKey[]): string {
    let offset = 0;
    let node: unknown = this.#doc.contents;
    for (const step of path) {
      if (isAlias(node)) node = node.resolve(this.#doc);
      if (isMap(node)) {
        const pair = node.items.find((one) => isNode(one.key) && String(one.key) === String(step));
        if (!pair) break;
        offset = (isNode(pair.key) && pair.key.range?.[0]) || offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(step)];
        offset = (isNode(node) && node.range?.[0]) || offset;
      } else break;
    }
    return `${this.#file}, line ${this.#lines.linePos(offset).line}`;
  }

  #anchorOf(path: (string | number)[]): string | null {
    const node = this.#doc.getIn(path, true);
    const anchor = isAlias(node)
      ? node.source
      : isNode(node)
        ? (node as { anchor?: string }).anchor
        : undefined;
    return anchor && !anchor.includes('.') && !RESERVED.has(anchor) ? anchor : null;
  }
}

/** Top-level names of the meta that a shared list must not take. */
const RESERVED = new Set<string>([...LISTS, 'dynamic', 'timezone']);

const standardRunDirs = (): RunDir[] =>
  Object.keys(RUN_INTERVALS).map((name) => ({
    directory: `/opt/${PRODUCT}/run/${name}`,
    frequency: name as RunInterval,
  }));

const firstLine = (error: Error): string => (error.message.split('\n')[0] ?? '').replace(/ at line .*$/, '');
