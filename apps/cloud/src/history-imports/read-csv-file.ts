import { pipeline, type Readable } from 'node:stream';
import { CsvError, type Info, type Options, parse } from 'csv-parse';
import { delimiterIn } from '../mapping/csv-delimiter.ts';
import type { ForeignRecord } from '../mapping/read-records.ts';
import { type HistoryRecord, LINE_BYTES, UnreadableFile } from './history-records.ts';

/** The records of a CSV file with a header. The delimiter is the one that the header has most of. */
export async function* readCsvFile(stream: Readable): AsyncGenerator<HistoryRecord> {
  const faults: HistoryRecord[] = [];
  const options: Options = {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    columns: namesOf,
    delimiter: delimiterIn((await firstBytes(stream)).toString('utf8')),
    trim: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: LINE_BYTES,
    on_skip: (error) => {
      if (error) faults.push({ line: Number(error.lines ?? 0), fault: reasonOf(error) });
      return undefined;
    },
  };
  const parser = parse(options);
  pipeline(stream, parser, () => {});
  try {
    for await (const one of parser) {
      const { record, info } = one as { record: ForeignRecord; info: Info };
      yield* faults.splice(0);
      yield { line: info.lines, record };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableFile(`Line ${error.lines}: ${reasonOf(error)}`);
    if (error instanceof RepeatedColumn) throw new UnreadableFile(error.message);
    throw error;
  }
  yield* faults;
}

class RepeatedColumn extends Error {}

function namesOf(header: string[]): string[] {
  const seen = new Set<string>();
  for (const name of header) {
    if (name !== '' && seen.has(name)) throw new RepeatedColumn(`Two columns are called ${name}.`);
    seen.add(name);
  }
  return header.map((name, at) => name || `column ${at + 1}`);
}

const reasonOf = ({ code, message }: CsvError): string =>
  code === 'CSV_RECORD_INCONSISTENT_COLUMNS' ? 'It has another number of columns than the header.' : message;

/** What comes first, which is put back. */
async function firstBytes(stream: Readable): Promise<Buffer> {
  for (;;) {
    const chunk = stream.read() as Buffer | null;
    if (chunk !== null) {
      stream.unshift(chunk);
      return chunk;
    }
    if (stream.readableEnded || stream.destroyed) return Buffer.alloc(0);
    await new Promise<void>((resolve, reject) => {
      const done = () => {
        stream.off('readable', done).off('end', done).off('error', reject);
        resolve();
      };
      stream.once('readable', done).once('end', done).once('error', reject);
    });
  }
}
