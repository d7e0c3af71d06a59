import { setTimeout as sleep } from 'node:timers/promises';
import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import { fieldFileHelp } from '@albedo/plugin-kit/fields/field-file';
import type { Plugin, Purpose, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import mqtt from 'mqtt';
import { Sparkplug } from './sparkplug.ts';
import { rebirthPayload } from './sparkplug-payload.ts';
import { Topics } from './topics.ts';

/** A message beyond this is no reading, bytes. */
const MOST_BYTES = 1024 * 1024;
/** Records that wait to be written; older ones go when the plant tells more. */
const MOST_WAITING = 20_000;
const SPARKPLUG = 'spBv1.0';
const REBIRTH = ['ask', 'never'] as const;

export const mqttPlugin: Plugin = {
  name: 'mqtt_albedo',
  summary: 'Listens to what machines tell an MQTT broker, as JSON or as Sparkplug B.',
  positionals: ['endpoint'],
  options: {
    config_file: {
      kind: 'file',
      default: '',
      help: fieldFileHelp(
        'meter, {1}, Power, plant/+/meter power.total, decimal, W. Without it all machines that speak Sparkplug B',
      ),
    },
    group: { kind: 'text', default: '+', help: 'Sparkplug B: only machines of this group' },
    table: { kind: 'text', default: 'sparkplug', help: 'Sparkplug B: table of the records' },
    rebirth: {
      kind: 'choice',
      options: REBIRTH,
      default: 'ask',
      help: 'Sparkplug B: whether nodes whose birth was not seen, or that lost a message, are asked for another birth',
    },
    user: { kind: 'text', default: '', help: 'name to sign in with' },
    password: { kind: 'secret', default: '', help: 'password of that user' },
    ca_file: { kind: 'file', default: '', help: 'certificates that mqtts:// trusts, besides the known ones' },
    client_id: { kind: 'text', default: '', help: 'name of this client; by default another one each time' },
    retained: { kind: 'flag', help: 'takes what the broker has kept, which may be old' },
    timeout: {
      kind: 'decimal',
      default: 10,
      min: 0.1,
      max: 300,
      help: 'longest wait for the broker, seconds',
    },
    listen: {
      kind: 'decimal',
      default: 10,
      min: 0.1,
      max: 3600,
      help: 'discover and log: how long, seconds',
    },
  },
  package: {
    name: 'mqtt',
    title: 'MQTT and Sparkplug B',
    labels: ['loggers', 'other'],
    arguments: {
      endpoint: { default: 'mqtt://', help: 'such as mqtt://10.0.0.5 or mqtts://broker.example.org:8883' },
      config_file: { directory: '/opt/albedo/plugins-config/mqtt' },
      source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
    },
  },
  open: (args, _log, purpose) => new MqttReader(args, purpose),
};

/** Listens all the time in a service, and gives at each reading what has come since the one before. */
class MqttReader implements Reader {
  readonly #url: string;
  readonly #options: mqtt.IClientOptions;
  readonly #purpose: Purpose;
  readonly #listenMs: number;
  readonly #timeoutMs: number;
  readonly #takesRetained: boolean;
  readonly #filters: string[];
  readonly #topics: Topics | null;
  readonly #sparkplug: Sparkplug;
  readonly #asksForBirths: boolean;
  #client: mqtt.MqttClient | null = null;
  #waiting: PluginRecord[] = [];
  #lost = 0;
  readonly #faults = new Set<string>();

  constructor(args: Arguments, purpose: Purpose) {
    const [file, ca] = [args.text('config_file'), args.text('ca_file')];
    this.#url = brokerUrl(args.text('endpoint'));
    this.#purpose = purpose;
    this.#listenMs = args.number('listen') * 1000;
    this.#timeoutMs = args.number('timeout') * 1000;
    this.#takesRetained = args.flag('retained');
    this.#topics = file === '' ? null : Topics.parse(readText(file, 'configuration'), file);
    this.#sparkplug = new Sparkplug(tableOf(args.text('table')));
    this.#asksForBirths = args.text('rebirth') === 'ask';
    this.#filters = this.#topics?.filters ?? sparkplugFilters(args.text('group'));
    const user = args.text('user');
    this.#options = {
      ...(user === '' ? {} : { username: user, password: args.text('password') }),
      ...(ca === '' ? {} : { ca: readText(ca, 'certificates') }),
      ...(args.text('client_id') === '' ? {} : { clientId: args.text('client_id') }),
      connectTimeout: this.#timeoutMs,
      reconnectPeriod: 5000,
    };
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const isFirst = this.#client === null;
    const client = this.#open();
    if (isFirst && this.#purpose === 'once') {
      await sleep(this.#listenMs, undefined, { signal }).catch(() => {});
    }
    if (!client.connected) failed(new Error(`${this.#url}: ${[...this.#faults].at(-1) ?? 'not connected'}`));
    else for (const fault of this.#faults) failed(new Error(`${this.#url}: ${fault}`));
    if (this.#lost > 0) failed(new Error(`${this.#url}: ${this.#lost} records came too fast and are lost`));
    const records = this.#waiting;
    this.#waiting = [];
    this.#lost = 0;
    this.#faults.clear();
    yield* records;
  }

  async close(): Promise<void> {
    await this.#client?.endAsync(true);
    this.#client = null;
  }

  #open(): mqtt.MqttClient {
    if (this.#client) return this.#client;
    const client = mqtt.connect(this.#url, this.#options);
    this.#client = client;
    client.on('connect', () => {
      client.subscribe(this.#filters, { qos: 1 }, (error, granted) => {
        if (error) this.#fault(messageOf(error));
        for (const one of granted ?? []) {
          if (one.qos > 2) this.#fault(`the broker does not allow ${one.topic}`);
        }
      });
    });
    client.on('error', (error) => this.#fault(messageOf(error)));
    client.on('message', (topic, payload, { retain }) => {
      if (!retain || this.#takesRetained) this.#take(topic, payload);
    });
    return client;
  }

  #take(topic: string, payload: Buffer): void {
    if (payload.length > MOST_BYTES) {
      this.#fault(`${topic.slice(0, 200)}: a message of ${payload.length} bytes is left out`);
      return;
    }
    try {
      const now = Date.now();
      const records = this.#topics
        ? this.#topics.take(topic, payload, now)
        : this.#sparkplug.take(topic, payload, now, {
            fault: (text) => this.#fault(text),
            rebirth: (group, node) => this.#askForBirth(group, node, now),
          });
      this.#waiting.push(...records);
      const tooMany = this.#waiting.length - MOST_WAITING;
      if (tooMany > 0) {
        this.#waiting.splice(0, tooMany);
        this.#lost += tooMany;
      }
    } catch (error) {
      this.#fault(`${topic.slice(0, 200)}: ${messageOf(error)}`);
    }
  }

  #askForBirth(group: string, node: string, now: number): void {
    if (!this.#asksForBirths) return;
    const topic = `${SPARKPLUG}/${group}/NCMD/${node}`;
    this.#client?.publish(topic, rebirthPayload(now), { qos: 0 }, (error) => {
      if (error) this.#fault(`${topic.slice(0, 200)}: ${messageOf(error)}`);
    });
  }

  /** The same fault is told once a reading, and no more than a few. */
  #fault(text: string): void {
    if (this.#faults.size < 20) this.#faults.add(text.slice(0, 300));
  }
}

function brokerUrl(endpoint: string): string {
  const url = URL.parse(endpoint);
  if (!url?.hostname || !['mqtt:', 'mqtts:', 'ws:', 'wss:'].includes(url.protocol)) {
    throw new InputError(`endpoint: "${endpoint.slice(0, 200)}" is not of the form mqtt://10.0.0.5:1883`);
  }
  if (url.username !== '') throw new InputError('endpoint: user and password are arguments of their own');
  return endpoint;
}

function tableOf(table: string): string {
  if (/^[^./\\]+$/.test(table)) return table;
  throw new InputError(`table: "${table}" must be a name without full stops and slashes`);
}

function sparkplugFilters(group: string): string[] {
  if (group !== '+' && /[+#/]/.test(group)) throw new InputError(`group: "${group}" is no name of a group`);
  return ['NBIRTH', 'NDATA', 'NDEATH']
    .map((kind) => `${SPARKPLUG}/${group}/${kind}/+`)
    .concat(['DBIRTH', 'DDATA', 'DDEATH'].map((kind) => `${SPARKPLUG}/${group}/${kind}/+/+`));
}
