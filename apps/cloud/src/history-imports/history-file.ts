import type {
  AskedLayout,
  HistoryFormat,
  HistoryLayout,
  HistoryPreview,
} from '@albedo/contract/history-imports/history-imports.schema';
import { columnNames, findLines, type HeadRow, timeColumnIn, unitsIn } from '../mapping/find-layout.ts';
import {
  type HistoryPiece,
  type HistoryRecord,
  PIECE_RECORDS,
  UnreadableFile,
} from '../mapping/history-records.ts';
import { readLines } from './line-protocol.ts';
import type { StoredFile } from './stored-file.ts';

/** A file whose beginning was looked at. */
export interface OpenedFile {
  /** Null for formats that say themselves what stands where. */
  layout: HistoryLayout | null;
  /** Null where each record has columns of its own. */
  columns: string[] | null;
  /** The unit that stands below the name of a column. */
  units: ReadonlyMap<string, string>;
  head: HistoryPreview['head'];
  sheets: string[];
  /** The records from the beginning; `columns` are all that is needed of them. Throws `UnreadableFile`. */
  pieces(only?: { columns?: ReadonlySet<string> }): AsyncGenerator<HistoryPiece>;
}

/** Lines of the beginning that are looked at, and shown. */
const HEAD_ROWS = 200;
const SHOWN_ROWS = 20;

/** Looks at how a file is written, unless `layout` says it. Throws `UnreadableFile`. */
export async function openFile(
  file: StoredFile,
  format: HistoryFormat,
  layout: AskedLayout | null = null,
): Promise<OpenedFile> {
  if (format === 'csv') return openCsv(file, layout);
  if (format === 'xlsx') return openSheet(file, layout);
  const plain = { layout: null, columns: null, units: new Map(), head: [], sheets: [] };
  if (format === 'lines') return { ...plain, pieces: () => streamed(file, (chunks) => readLines(chunks)) };
  return {
    ...plain,
    pieces: async function* (only = {}) {
      const slices = {
        byteLength: file.bytes,
        slice: (from: number, to = file.bytes) => file.slice(from, to),
      };
      const { readParquet } = await import('./read-parquet.ts');
      yield* readParquet(slices, only);
    },
  };
}

async function openCsv(file: StoredFile, given: AskedLayout | null): Promise<OpenedFile> {
  const { csvLayout, headOf, headRows, readCsvFile } = await import('../mapping/read-csv-file.ts');
  const { encodingOf } = await import('../mapping/text-encoding.ts');
  const reading = async <T>(read: (chunks: AsyncIterable<Buffer>) => Promise<T>): Promise<T> => {
    const stream = file.stream();
    try {
      return await read(stream);
    } finally {
      stream.destroy();
    }
  };
  const encoding = given?.encoding ?? (await reading(encodingOf));
  const head = await reading((chunks) => headOf(chunks, encoding));
  if (head.includes('\u0000')) throw new UnreadableFile('This is no text. Choose the format of the file.');
  const layout = given
    ? withLines(given, () => headRows(head, given.delimiter).slice(0, HEAD_ROWS))
    : csvLayout(head, encoding);
  const rows = headRows(head, layout.delimiter).slice(0, HEAD_ROWS);
  const named = namesOf(rows, layout);
  const lines = head.split(/\r\n|\n|\r/).slice(0, SHOWN_ROWS);
  return {
    layout,
    ...named,
    head: lines.map((text, i) => ({ line: i + 1, text: text.slice(0, 300) })),
    sheets: [],
    pieces: () => streamed(file, (chunks) => readCsvFile(chunks, layout, named.columns)),
  };
}

async function openSheet(file: StoredFile, given: AskedLayout | null): Promise<OpenedFile> {
  const { readSheetRows, sheetHead, sheetRecords } = await import('./read-sheet-file.ts');
  const { names, rows } = await readSheetRows(file, given?.sheet ?? null);
  const head = sheetHead(rows, HEAD_ROWS);
  const layout = given
    ? withLines(given, () => head)
    : ({ encoding: 'utf-8', delimiter: ',', sheet: names[0] ?? null, ...findLines(head) } as const);
  const named = namesOf(head, layout);
  return {
    layout,
    ...named,
    head: head
      .slice(0, SHOWN_ROWS)
      .map(({ line, cells }) => ({ line, text: cells.join(' │ ').slice(0, 300) })),
    sheets: names,
    pieces: async function* () {
      let piece: HistoryRecord[] = [];
      for (const record of sheetRecords(rows, layout, named.columns)) {
        piece.push(record);
        if (piece.length < PIECE_RECORDS) continue;
        yield { records: piece, fraction: Math.min(1, record.line / Math.max(1, rows.length)) };
        piece = [];
      }
      yield { records: piece, fraction: 1 };
    },
  };
}

/** A layout whose lines are looked for where it says none. */
function withLines({ firstRecord, ...said }: AskedLayout, head: () => HeadRow[]): HistoryLayout {
  return firstRecord === null ? { ...said, ...findLines(head()) } : { ...said, firstRecord };
}

function namesOf(rows: readonly HeadRow[], layout: HistoryLayout) {
  const records = rows.filter(({ line }) => line >= layout.firstRecord);
  const columns = columnNames(rows, layout, timeColumnIn(records));
  if (columns.length === 0) throw new UnreadableFile('There is nothing in it that could be a table.');
  const units = unitsIn(rows.find(({ line }) => line === layout.units));
  return {
    columns,
    units: new Map(columns.flatMap((name, at) => (units[at] ? [[name, units[at]] as const] : []))),
  };
}

async function* streamed(
  file: StoredFile,
  read: (chunks: AsyncIterable<Buffer>) => AsyncIterable<HistoryRecord>,
): AsyncGenerator<HistoryPiece> {
  let done = 0;
  const stream = file.stream((bytes) => {
    done += bytes;
  });
  const fraction = () => Math.min(1, done / Math.max(1, file.bytes));
  let piece: HistoryRecord[] = [];
  try {
    for await (const record of read(stream)) {
      piece.push(record);
      if (piece.length < PIECE_RECORDS) continue;
      yield { records: piece, fraction: fraction() };
      piece = [];
    }
    yield { records: piece, fraction: 1 };
  } finally {
    stream.destroy();
  }
}
