import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import { type Field, fieldFileHelp } from '@albedo/plugin-kit/fields/field-file';
import { fieldRecords, filledSource } from '@albedo/plugin-kit/fields/field-records';
import { plainText } from '@albedo/plugin-kit/fields/field-value';
import type { Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { namingColumns, oidOf, parseSnmpConfig, type SnmpConfig, STANDARD_CONFIG } from './snmp-config.ts';
import { SnmpSession } from './snmp-session.ts';
import { SNMP_OPTIONS, type SnmpTarget, snmpTarget } from './snmp-target.ts';

const STANDARD_PORT = 161;

export const snmpPlugin: Plugin = {
  name: 'snmp_albedo',
  summary: 'Reads switches, UPSs and other devices that speak SNMP.',
  positionals: ['endpoint'],
  options: {
    ...SNMP_OPTIONS,
    config_file: {
      kind: 'file',
      default: '',
      help: fieldFileHelp(
        'ups, ups, Charge, 1.3.6.1.2.1.33.1.2.4.0, decimal, %. Without it the system and its interfaces',
      ),
    },
  },
  package: {
    name: 'snmp',
    title: 'SNMP',
    labels: ['management', 'other'],
    arguments: {
      endpoint: { help: 'address or host name' },
      config_file: { directory: '/opt/albedo/plugins-config/snmp' },
      source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
    },
  },
  open: (args) => new SnmpReader(args),
};

class SnmpReader implements Reader {
  readonly #target: SnmpTarget;
  readonly #config: SnmpConfig;

  constructor(args: Arguments) {
    const file = args.text('config_file');
    this.#target = snmpTarget(args);
    this.#config =
      file === ''
        ? parseSnmpConfig(STANDARD_CONFIG, 'standard')
        : parseSnmpConfig(readText(file, 'configuration'), file);
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const session = new SnmpSession(this.#target, signal);
    try {
      yield* await this.#scalars(session);
      for (const fields of this.#config.tables) {
        if (signal.aborted) return;
        yield* await this.#rows(session, fields);
      }
    } catch (error) {
      failed(error instanceof Error ? error : new Error(messageOf(error)));
    } finally {
      session.close();
    }
  }

  /** Each reading has a session of its own. */
  async close(): Promise<void> {}

  async #scalars(session: SnmpSession): Promise<PluginRecord[]> {
    const { scalars } = this.#config;
    const values = await session.get([...new Set(scalars.map(({ address }) => oidOf(address)))]);
    return fieldRecords(
      scalars,
      ({ address }) => values.get(oidOf(address)),
      ({ source }) => filledSource(source, this.#machine(), this.#names()),
    );
  }

  async #rows(session: SnmpSession, fields: Field[]): Promise<PluginRecord[]> {
    const source = fields[0]?.source ?? '';
    const columns = new Map<string, Map<string, unknown>>();
    const oids = [...fields.map(({ address }) => oidOf(address)), ...namingColumns(source)];
    for (const oid of new Set(oids)) columns.set(oid, await session.column(oid));
    const indexes = new Set(
      fields.flatMap(({ address }) => [...(columns.get(oidOf(address))?.keys() ?? [])]),
    );
    return [...indexes].flatMap((index) => {
      const names = new Map([...this.#names(), ['INDEX', index] as const]);
      for (const oid of namingColumns(source)) {
        // A slash would be a level of folders of its own.
        names.set(oid, plainText(columns.get(oid)?.get(index) ?? index).replaceAll('/', '-') || index);
      }
      return fieldRecords(
        fields,
        ({ address }) => columns.get(oidOf(address))?.get(index),
        () => filledSource(source, [...this.#machine(), index], names),
      );
    });
  }

  #machine(): (string | number)[] {
    const { endpoint, port } = this.#target;
    return port === STANDARD_PORT ? [endpoint] : [endpoint, port];
  }

  #names(): Map<string, string> {
    return new Map([
      ['ENDPOINT', this.#target.endpoint],
      ['PORT', String(this.#target.port)],
    ]);
  }
}
