import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Credential,
  EXTERNAL_RECORDS,
  type ExternalSource,
  type NewExternalSource,
  type Subscription,
} from '@albedo/contract/external-sources/external-sources.schema';
import type { MappedPreview, Mapping } from '@albedo/contract/mapping/mapping.schema';
import { storableText } from '@albedo/postgres/storable';
import { AppError } from '../errors/app-error.ts';
import type { Cell } from '../mapping/map-records.ts';
import type { ForeignFile } from '../mapping/read-foreign-file.ts';
import { columnsOf, readRecords } from '../mapping/read-records.ts';
import { UnreadableRecords } from '../mapping/unreadable-records.ts';
import { OUTBOUND_AN_HOUR, type OutboundQuota } from '../outbound/outbound.quota.ts';
import { OutsideError, type OutsideFetch } from '../outbound/outside-fetch.ts';
import { brokerOf, readerOf } from './broker-follower.ts';
import { bytesOf, FILE_BYTES, type ForeignBytes, RefusedFile } from './foreign-files.ts';
import { type BrokerMessage, MqttLink } from './mqtt-link.ts';
import type { Written } from './record-writer.ts';

export interface Reading {
  pull: NonNullable<ExternalSource['pull']>;
  secret: string | null;
  format: ExternalSource['format'];
  /** Newest event that is stored, epoch ms; null before the first. */
  newestAt: number | null;
}

const DAY_MS = 86_400_000;

/** Downloads what is at an address and undoes only the compression of HTTP. Throws `OutsideError`, `RefusedFile`. */
export async function fetchOutside(
  gate: Pick<OutsideFetch, 'fetch'>,
  { pull, secret, format, newestAt }: Reading,
): Promise<ForeignBytes> {
  const url = addressOf(pull.address, newestAt);
  const response = await gate.fetch(url, { headers: headersOf(pull.credential, secret, format) });
  if (!response.ok) throw new OutsideError(`it answered with status ${response.status}.`);
  const name = nameOf(url);
  if (!response.body) return { name, bytes: Buffer.alloc(0) };
  // Counted while unpacking: the packed size says nothing about the unpacked one.
  try {
    return { name, bytes: await bytesOf(response.body as AsyncIterable<Uint8Array>, FILE_BYTES) };
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    const isOfSize = /RES_EXCEEDED_MAX_SIZE/.test(String(codeOf(error)));
    const isLate = (error as Error).name === 'TimeoutError' || /TIMEOUT/.test(String(codeOf(error)));
    const why = isOfSize
      ? 'the response is too large.'
      : isLate
        ? `${url.host} did not answer in time.`
        : 'its answer ended too early.';
    throw new OutsideError(why, { cause: error });
  }
}

/** The code of the error, or of its cause. */
const codeOf = (error: unknown): unknown => {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return cause?.code ?? code;
};

/** The last part of an address, decoded where possible. */
function nameOf({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return storableText(decodeURIComponent(last).slice(0, 200));
  } catch {
    return last.slice(0, 200);
  }
}

/** Throws `external_source.unreachable`. */
export function readGiven(
  text: string,
  format: ExternalSource['format'],
  path: string,
): Pick<ForeignFile, 'records' | 'columns'> {
  try {
    const records = readRecords(text, format, path);
    return {
      records: records.map((record, i) => ({ line: i + 1, record })),
      columns: [...new Set(records.slice(0, 100).flatMap((record) => columnsOf(record)))].slice(0, 500),
    };
  } catch (error) {
    throw unreachable(error);
  }
}

/** The same of what was pushed, all or nothing. Throws `external_source.push_too_large` too. */
export function readPushed(...given: Parameters<typeof readGiven>): ForeignFile['records'] {
  const { records } = readGiven(...given);
  if (records.length > EXTERNAL_RECORDS)
    throw new AppError('external_source.push_too_large', { count: records.length, most: EXTERNAL_RECORDS });
  return records;
}

/** One line about what was left out; null if nothing was. */
export function troubleOf({ faults: [fault], faulty, records, ahead }: Written): string | null {
  const parts = [
    fault && faulty > 0 ? `${faulty} of ${records}: ${fault.reason} ${fault.text}` : '',
    ahead > 0 ? `${ahead} of ${records} are more than a day ahead and got the time of their arrival.` : '',
  ];
  return parts.filter(Boolean).join(' ').slice(0, 300) || null;
}

/** How long a look at a broker takes at most, and how many events end it earlier. */
const LOOK_MS = 8000;
const LOOK_EVENTS = 20;
const LOOK_COLUMNS = 500;

export interface Listening extends Pick<NewExternalSource, 'format' | 'recordsPath'> {
  workgroup: string;
  mapping: Mapping;
  subscription: Subscription;
  password: string | null;
}

/**
 * Hears a broker for some seconds, under a name of its own, so that the source is not disturbed. Throws
 * `external_source.unreachable`, `external_source.busy`.
 */
export async function hearOutside(
  { gate, quota }: { gate: OutsideFetch; quota: OutboundQuota },
  { workgroup, subscription, password, ...plan }: Listening,
): Promise<MappedPreview> {
  if (!quota.take(workgroup)) throw new AppError('external_source.busy', { count: OUTBOUND_AN_HOUR });
  const reader = readerOf({ ...plan, subscription }, true);
  const preview: MappedPreview = { records: 0, events: 0, columns: [], sample: [], faults: [] };
  const columns = new Set<string>();
  const enough = new AbortController();
  let link: MqttLink | null = null;
  const onMessage = (message: BrokerMessage) => {
    const heard = reader.read(message, Date.now());
    preview.records += 1;
    preview.events += heard.events.length;
    for (const column of heard.columns) if (columns.size < LOOK_COLUMNS) columns.add(column);
    for (const fault of heard.faults.slice(0, 50 - preview.faults.length))
      preview.faults.push({ record: preview.records, ...fault });
    for (const { source, at, fields, values } of heard.events.slice(0, 10 - preview.sample.length)) {
      const named = fields.map(({ name }, i): [string, Cell] => [name, values[i] ?? null]);
      preview.sample.push({ source, at, values: Object.fromEntries(named) });
    }
    if (heard.answer) link?.publish(heard.answer.topic, heard.answer.payload);
    if (preview.events >= LOOK_EVENTS) enough.abort();
  };
  try {
    const broker = await brokerOf(gate, subscription, { password, id: randomUUID(), isKept: false });
    link = await MqttLink.open(broker, { onMessage, onEnd: () => enough.abort() });
    await sleep(LOOK_MS, undefined, { signal: enough.signal }).catch(() => undefined);
  } catch (error) {
    throw unreachable(error);
  } finally {
    link?.close();
  }
  return { ...preview, columns: [...columns] };
}

export function unreachable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const isKnown = [OutsideError, UnreadableRecords, RefusedFile].some((kind) => error instanceof kind);
  return new AppError('external_source.unreachable', {
    why: isKnown ? (error as Error).message : 'its answer ended too early.',
  });
}

function addressOf(address: string, newestAt: number | null): URL {
  const from = new Date(newestAt ?? Date.now() - DAY_MS).toISOString();
  const filled = address
    .replaceAll('{from}', encodeURIComponent(from))
    .replaceAll('{to}', encodeURIComponent(new Date().toISOString()));
  if (!URL.canParse(filled)) throw new OutsideError('this is no address.');
  return new URL(filled);
}

const ACCEPTED = {
  json: 'application/json',
  xml: 'application/xml, text/xml',
  csv: 'text/csv, text/plain',
} as const satisfies Record<ExternalSource['format'], string>;

function headersOf(
  credential: Credential,
  secret: string | null,
  format: ExternalSource['format'],
): Record<string, string> {
  const accept = { accept: ACCEPTED[format] };
  const word = secret ?? '';
  switch (credential.kind) {
    case 'none':
      return accept;
    case 'bearer':
      return { ...accept, authorization: `Bearer ${word}` };
    case 'basic':
      return {
        ...accept,
        authorization: `Basic ${Buffer.from(`${credential.user}:${word}`).toString('base64')}`,
      };
    case 'header':
      return { ...accept, [credential.header]: word };
  }
}
