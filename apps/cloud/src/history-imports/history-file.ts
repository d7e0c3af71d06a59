import type { HistoryFormat } from '@albedo/contract/history-imports/history-imports.schema';
import { type HistoryPiece, type HistoryRecord, PIECE_RECORDS } from './history-records.ts';
import { readLines } from './line-protocol.ts';
import type { StoredFile } from './stored-file.ts';

/** The records of a file from its beginning; `columns` are all that is needed of them. Throws `UnreadableFile`. */
export async function* piecesOf(
  file: StoredFile,
  format: HistoryFormat,
  only: { columns?: ReadonlySet<string>; rows?: number } = {},
): AsyncGenerator<HistoryPiece> {
  if (format === 'parquet') {
    const slices = { byteLength: file.bytes, slice: (from: number, to = file.bytes) => file.slice(from, to) };
    const { readParquet } = await import('./read-parquet.ts');
    yield* readParquet(slices, only);
    return;
  }
  let read = 0;
  const stream = file.stream((bytes) => {
    read += bytes;
  });
  try {
    const records =
      format === 'csv' ? (await import('./read-csv-file.ts')).readCsvFile(stream) : readLines(stream);
    yield* inPieces(records, () => Math.min(1, read / Math.max(1, file.bytes)));
  } finally {
    stream.destroy();
  }
}

async function* inPieces(
  records: AsyncIterable<HistoryRecord>,
  fraction: () => number,
): AsyncGenerator<HistoryPiece> {
  let piece: HistoryRecord[] = [];
  for await (const record of records) {
    piece.push(record);
    if (piece.length < PIECE_RECORDS) continue;
    yield { records: piece, fraction: fraction() };
    piece = [];
  }
  yield { records: piece, fraction: 1 };
}
