import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import { type Field, fieldFileHelp, parseFieldFile } from '@albedo/plugin-kit/fields/field-file';
import { fieldRecords, filledSource } from '@albedo/plugin-kit/fields/field-records';
import { parseNotMeasured } from '@albedo/plugin-kit/fields/not-measured';
import { parseScale } from '@albedo/plugin-kit/fields/scale';
import type { Plugin, Purpose, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { AttributeIds, type ClientSession, coerceNodeId, type DataValue } from 'node-opcua-client';
import { browseLines } from './opcua-browse.ts';
import { connect, type OpcuaConnection, within } from './opcua-connection.ts';
import { type Change, OpcuaSubscription } from './opcua-subscription.ts';
import { OPCUA_OPTIONS, type OpcuaTarget, opcuaTarget, PKI_FOLDER } from './opcua-target.ts';
import { opcuaValue } from './opcua-value.ts';

const AT_ONCE = 100;
const NAMESPACE_ARRAY = 'i=2255';
/** An address that names its namespace instead of counting it, which survives a new version of the server. */
const BY_NAME = /^nsu=([^;]+);(.*)$/;

export const opcuaPlugin: Plugin = {
  name: 'opcua_albedo',
  summary: 'Reads PLCs and other machines that serve OPC UA.',
  positionals: ['endpoint'],
  options: {
    ...OPCUA_OPTIONS,
    config_file: {
      kind: 'file',
      default: '',
      help: fieldFileHelp(
        'pump, east, Speed, ns=2;s=Pump.Speed, decimal, rpm. Without it everything that the server offers',
      ),
    },
  },
  package: {
    name: 'opcua',
    title: 'OPC UA',
    labels: ['opc', 'plc'],
    uses: { paths: [PKI_FOLDER] },
    arguments: {
      endpoint: { default: 'opc.tcp://', help: 'such as opc.tcp://10.0.0.5:4840' },
      config_file: { directory: '/opt/albedo/plugins-config/opcua' },
      source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
    },
  },
  open: (args, _log, purpose) => new OpcuaReader(args, purpose),
  async *browse(args, _log, signal) {
    const target = opcuaTarget(args);
    const { session, close } = await connect(target);
    try {
      yield '# table, source, variable, node, type, units, scale, lookup';
      yield* await browseLines(session, signal);
    } finally {
      await close();
    }
  },
};

/** Keeps its connection between readings; one that broke is opened again at the next. */
class OpcuaReader implements Reader {
  readonly #target: OpcuaTarget;
  /** Null until the server has been asked what it offers. */
  #fields: Field[] | null = null;
  #connection: OpcuaConnection | null = null;
  #nodes: { field: Field; nodeId: string }[] = [];
  #subscription: OpcuaSubscription | null = null;
  /** The column beside a field that has the quality of its value; none unless that is wanted. */
  readonly #qualities = new Map<Field, Field[]>();
  /** Last values told by the server, by field: a record has all columns of its source. */
  readonly #latest = new Map<Field, unknown>();

  constructor(args: Arguments, purpose: Purpose) {
    const file = args.text('config_file');
    const target = opcuaTarget(args);
    // Who asks once wants to know what is, not what changes.
    this.#target = purpose === 'once' ? { ...target, samplingMs: 0 } : target;
    if (file !== '') this.#fields = parseFieldFile(readText(file, 'configuration'), file, checkNode);
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    try {
      const session = await this.#session(signal, failed);
      if (this.#target.samplingMs === 0) yield* await this.#readOnce(session);
      else yield* this.#told(failed);
    } catch (error) {
      await this.close();
      if (error instanceof InputError) throw error;
      failed(new Error(messageOf(error)));
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    this.#subscription = null;
    await connection?.close();
  }

  async #session(signal: AbortSignal, failed: (error: Error) => void): Promise<ClientSession> {
    if (this.#connection?.isBroken() || this.#subscription?.hasEnded) await this.close();
    if (this.#connection) return this.#connection.session;
    this.#connection = await connect(this.#target);
    const { session } = this.#connection;
    this.#fields ??= parseFieldFile((await browseLines(session, signal)).join('\n'), 'server', checkNode);
    this.#nodes = await resolved(session, this.#fields);
    if (this.#target.keepsUncertain)
      for (const field of this.#fields) this.#qualities.set(field, [qualityOf(field)]);
    if (this.#target.samplingMs > 0) {
      this.#subscription = await within(
        OpcuaSubscription.open(session, this.#nodes, this.#target.samplingMs, (field, reason) =>
          failed(new Error(`${this.#target.endpoint}: ${field.address}: ${reason}`)),
        ),
        this.#target.timeoutMs,
      );
    }
    return session;
  }

  async #readOnce(session: ClientSession): Promise<PluginRecord[]> {
    const values = new Map<Field, unknown>();
    for (let at = 0; at < this.#nodes.length; at += AT_ONCE) {
      const some = this.#nodes.slice(at, at + AT_ONCE);
      const request = some.map(({ nodeId }) => ({ nodeId, attributeId: AttributeIds.Value }));
      const answers = await within(session.read(request), this.#target.timeoutMs);
      for (const [index, { field }] of some.entries()) {
        const answer = answers[index];
        if (answer) this.#set(values, field, answer);
      }
    }
    return this.#records(
      this.#nodes.map(({ field }) => field),
      values,
    );
  }

  /** One record for each instant at which something changed, of the sources that it concerns. */
  *#told(failed: (error: Error) => void): Generator<PluginRecord> {
    const { changes, lost } = this.#subscription?.take() ?? { changes: [], lost: 0 };
    if (lost > 0) failed(new Error(`${this.#target.endpoint}: ${lost} changes came too fast and are lost`));
    for (let from = 0; from < changes.length; ) {
      const at = changes[from]?.at ?? 0;
      const end = changes.findIndex((change, index) => index > from && change.at !== at);
      const together = changes.slice(from, end < 0 ? changes.length : end);
      yield* this.#changed(together).map((record) => ({ ...record, at }));
      from += together.length;
    }
  }

  #changed(changes: Change[]): PluginRecord[] {
    const touched = new Set(changes.map(({ field }) => `${field.table}\n${field.source}`));
    for (const { field, told } of changes) this.#set(this.#latest, field, told);
    const fields = this.#nodes
      .map(({ field }) => field)
      .filter(({ table, source }) => touched.has(`${table}\n${source}`));
    return this.#records(fields, this.#latest);
  }

  #set(values: Map<Field, unknown>, field: Field, told: DataValue): void {
    values.set(field, opcuaValue(told, this.#target.keepsUncertain));
    for (const quality of this.#qualities.get(field) ?? []) values.set(quality, told.statusCode.name);
  }

  #records(fields: Field[], values: ReadonlyMap<Field, unknown>): PluginRecord[] {
    const { host, port } = this.#target;
    const names = new Map([
      ['ENDPOINT', host],
      ['PORT', port],
    ]);
    return fieldRecords(
      fields.flatMap((field) => [field, ...(this.#qualities.get(field) ?? [])]),
      (field) => values.get(field),
      ({ source }) => filledSource(source, [host, port], names),
    );
  }
}

const qualityOf = (field: Field): Field => ({
  ...field,
  ...{ scale: parseScale(''), names: null, notMeasured: parseNotMeasured('') },
  column: { name: `${field.column.name} Quality`, type: 'keyword' },
});

function checkNode(address: string): void {
  const [, , rest = address] = BY_NAME.exec(address) ?? [];
  try {
    coerceNodeId(rest);
  } catch {
    throw new InputError(`node: "${address.slice(0, 100)}" is not of the form ns=2;s=Name or i=2258`);
  }
}

/** Addresses as this server counts its namespaces. Throws for a name that it does not have. */
async function resolved(session: ClientSession, fields: readonly Field[]) {
  if (!fields.some(({ address }) => BY_NAME.test(address))) {
    return fields.map((field) => ({ field, nodeId: field.address }));
  }
  const { value } = await session.read({ nodeId: NAMESPACE_ARRAY, attributeId: AttributeIds.Value });
  const known: unknown[] = Array.isArray(value?.value) ? value.value : [];
  return fields.map((field) => {
    const [, uri, rest] = BY_NAME.exec(field.address) ?? [];
    if (uri === undefined) return { field, nodeId: field.address };
    const number = known.indexOf(uri);
    if (number < 0) throw new Error(`the server has no namespace ${uri.slice(0, 200)}`);
    return { field, nodeId: `ns=${number};${rest}` };
  });
}
