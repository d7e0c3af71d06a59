import Papa from 'papaparse';

/** How much of a file is in hand at a time, in bytes. Source: specification 2, section 9. */
const CHUNK_BYTES = 10 * 1024 * 1024;

/** A row has a cell for each column, so a header without end would fill the memory row by row. */
const MOST_COLUMNS = 1000;

/** The header is within this many bytes. */
const HEAD_BYTES = 64 * 1024;

export interface CsvRow {
  /** As spreadsheets count: the header is row 1. */
  row: number;
  cells: string[];
}

export interface CsvTable {
  /** The header, without spaces around its names. */
  columns: string[];
  /** Rows with something in them; each has a cell for every column. */
  rows: CsvRow[];
  faults: CsvFault[];
}

/** What keeps a file from being understood, and where. `row` is null for the file as a whole. */
export interface CsvFault {
  kind:
    | 'empty'
    | 'encoding'
    | 'quotes'
    | 'columns'
    | 'header_empty'
    | 'header_twice'
    | 'too_many_rows'
    | 'too_wide';
  row: number | null;
  facts: Readonly<Record<string, string | number>>;
}

export interface CsvLimits {
  rows: number;
}

/**
 * Reads a file with a header line: the one reader for everything that people upload as CSV. Comma, semicolon and tab
 * are told apart by themselves, as spreadsheets write one or the other.
 *
 * Large files are read in chunks, and not beyond the limit of rows. Throws when the file cannot be read at all.
 */
export async function readCsv(file: File, { rows: most }: CsvLimits): Promise<CsvTable> {
  const reading = new Reading(most);
  const delimiter = delimiterOf(await file.slice(0, HEAD_BYTES).text());
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(file, {
      delimiter,
      chunkSize: CHUNK_BYTES,
      // What another program has added may end its lines otherwise than those before. Larger files come from one program.
      ...(file.size <= CHUNK_BYTES && { beforeFirstChunk: (text) => text.replace(/\r\n?/g, '\n') }),
      chunk: ({ data, errors }, parser) => {
        for (const { code, row } of errors)
          if (code === 'MissingQuotes' || code === 'InvalidQuotes') reading.unquoted(row);
        for (const cells of data) if (!reading.take(cells)) return parser.abort();
      },
      complete: () => resolve(reading.table()),
      error: reject,
    });
  });
}

/** The sign that stands most often in the header, outside of quotation marks. */
function delimiterOf(head: string): string {
  const header =
    head
      .replaceAll(/"[^"]*"/g, '')
      .split(/\r?\n/)
      .find((line) => line.trim() !== '') ?? '';
  const count = (sign: string) => header.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

class Reading {
  readonly #most: number;
  #columns: string[] | null = null;
  #row = 0;
  readonly #rows: CsvRow[] = [];
  readonly #faults: CsvFault[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** `index` counts within the chunk that comes next. */
  unquoted(index: number | undefined): void {
    this.#fault('quotes', this.#row + (index ?? 0) + 1);
  }

  /** False when nothing more is wanted. */
  take(cells: string[]): boolean {
    this.#row += 1;
    if (cells.every((cell) => cell.trim() === '')) return true;
    if (this.#columns === null) {
      this.#columns = this.#header(cells);
      return this.#columns.length > 0;
    }
    if (this.#rows.length >= this.#most) {
      this.#fault('too_many_rows', null, { most: this.#most });
      return false;
    }
    const { length } = this.#columns;
    if (cells.length > length && cells.slice(length).some((cell) => cell.trim() !== ''))
      this.#fault('columns', this.#row, { found: cells.length, expected: length });
    const whole = Array.from({ length }, (_, i) => cells[i]?.trim() ?? '');
    if (whole.some((cell) => cell.includes('\ufffd'))) this.#fault('encoding', this.#row);
    this.#rows.push({ row: this.#row, cells: whole });
    return true;
  }

  table(): CsvTable {
    if (this.#columns === null) this.#fault('empty', null);
    return { columns: this.#columns ?? [], rows: this.#rows, faults: this.#faults };
  }

  #header(cells: string[]): string[] {
    const columns = cells.map((cell) => cell.trim());
    while (columns.at(-1) === '') columns.pop();
    if (columns.length > MOST_COLUMNS) {
      this.#fault('too_wide', this.#row, { most: MOST_COLUMNS });
      return [];
    }
    const seen = new Set<string>();
    for (const name of columns) {
      if (name === '') this.#fault('header_empty', this.#row);
      else if (seen.has(name)) this.#fault('header_twice', this.#row, { name });
      seen.add(name);
    }
    return columns;
  }

  #fault(kind: CsvFault['kind'], row: number | null, facts: CsvFault['facts'] = {}): void {
    this.#faults.push({ kind, row, facts });
  }
}
