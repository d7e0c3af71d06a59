import { gzipSync } from 'node:zlib';
import { MAILED_ROWS } from '@albedo/contract/searches/searches.schema';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { spanOf } from '@albedo/contract/time/presets';
import type { Attachment } from '../mail/mail.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TelemetryReader } from '../telemetry/telemetry.service.ts';
import type { SearchRow } from './searches.store.ts';

/** A larger file is compressed: mail servers refuse what is large. */
const PLAIN_BYTES = 2_000_000;

export interface MailedFile {
  attachment: Attachment;
  /** Records in the file, and those that there are. */
  records: number;
  total: number;
  /** Epoch ms; null for all time. */
  range: { from: number; to: number } | null;
}

/**
 * The records of a search as a file of CSV, `MAILED_ROWS` of them at most. Timeframes such as yesterday are those of the
 * instant `at` in the zone, also where the mail is made later. Throws what searches throw.
 */
export async function mailedFile(
  reader: TelemetryReader,
  { name, content }: SearchRow,
  {
    at,
    zone,
    devices,
    signal,
  }: { at: number; zone: string; devices: Pick<DeviceRegistry, 'known'>; signal: AbortSignal },
): Promise<MailedFile> {
  const { table, filters, filterOperator, dateField, sort, csv, timeframe } = content;
  const range = typeof timeframe === 'string' ? spanOf(timeframe, at, zone) : null;
  const base = searchQuery.parse({ dateField, sort, timezone: zone });
  const wanted = { ...base, filters, filterOperator, timeframe: range ?? timeframe };
  const { totalRecords: total } = await reader.search(table, { ...wanted, rows: 0 }, signal);
  const fields = csv.fields.length > 0 ? { fields: csv.fields } : {};
  const how = csv.style ? { style: csv.style, devices } : undefined;
  const lines = await reader.csv(table, { ...wanted, ...fields, rows: MAILED_ROWS }, signal, how);
  const text = Buffer.concat((await lines.toArray()).map((piece) => Buffer.from(piece)));
  const isPlain = text.length <= PLAIN_BYTES;
  const file = `${fileName(name)} ${new Date(at).toISOString().slice(0, 10)}.csv`;
  const attachment = isPlain
    ? { name: file, type: 'text/csv', content: text }
    : { name: `${file}.gz`, type: 'application/gzip', content: gzipSync(text) };
  return { attachment, records: Math.min(total, MAILED_ROWS), total, range };
}

/** Without what file systems refuse. */
export const fileName = (name: string): string => name.replace(/[\p{Cc}/\\:*?"<>|]+/gu, '-').slice(0, 80);
