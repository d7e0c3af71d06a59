/** A cell of a service file: where it stands in the text, and what it says. */
export interface Cell {
  from: number;
  to: number;
  value: string;
}

interface Line {
  from: number;
  to: number;
  cells: Cell[];
  /** A quote was never closed. */
  isTorn: boolean;
}

/** A row of a service file. Commented ones count, so that what they say is treated as what it may become again. */
export interface CellRow {
  /** Its place among the rows. */
  at: number;
  /** Of how many. */
  of: number;
  /** By column. Null where nobody can say which cell belongs to which. */
  cells: ReadonlyMap<string, Cell> | null;
  whole: Cell;
}

/**
 * The rows of a service file, as the plugins read it: CSV with a header, quotes doubled within quotes, a backslash meant as
 * itself.
 */
export function rowsOf(text: string): CellRow[] {
  const lines = linesOf(text).filter(({ from, to }) => text.slice(from, to).trim() !== '');
  const head = lines.findIndex(({ from, to }) => !text.slice(from, to).trimStart().startsWith('#'));
  const columns = lines[head]?.cells.map(({ value }) => value) ?? [];
  const rows = lines.slice(head + 1);
  return rows.map(({ from, to, cells, isTorn }, at) => {
    const fits = !isTorn && cells.length <= columns.length;
    const named = columns.flatMap((column, place) => {
      const cell = cells[place];
      return cell ? [[column, cell] as const] : [];
    });
    const whole = { from, to, value: text.slice(from, to) };
    return { at, of: rows.length, cells: fits ? new Map(named) : null, whole };
  });
}

/** The text with other words in some of its cells. */
export function withCells(text: string, changes: readonly { cell: Cell; value: string }[]): string {
  let said = text;
  for (const { cell, value } of changes.toSorted((a, b) => b.cell.from - a.cell.from))
    said = said.slice(0, cell.from) + value + said.slice(cell.to);
  return said;
}

export const quotedCell = (value: string): string =>
  /[",\r\n]|^#/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let line: Line = { from: 0, to: 0, cells: [], isTorn: false };
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at <= text.length) {
    const { cell, end, isTorn } = cellAt(text, at);
    line.cells.push(cell);
    line.isTorn ||= isTorn;
    line.to = end;
    if (text[end] !== ',') {
      lines.push(line);
      line = { from: end + 1, to: end + 1, cells: [], isTorn: false };
    }
    at = end + 1;
  }
  return lines;
}

/** The cell that begins at a place, and where the comma or the line feed behind it stands. */
function cellAt(text: string, start: number): { cell: Cell; end: number; isTorn: boolean } {
  const quote = /[^\S\n]*"/y;
  quote.lastIndex = start;
  let after = start;
  let isTorn = false;
  if (quote.test(text)) {
    const rest = /(?:[^"]|"")*/y;
    rest.lastIndex = quote.lastIndex;
    rest.test(text);
    after = rest.lastIndex + 1;
    isTorn = rest.lastIndex >= text.length;
  }
  const stop = /[,\n]/g;
  stop.lastIndex = after;
  const end = isTorn ? text.length : (stop.exec(text)?.index ?? text.length);
  const raw = text.slice(start, end).trim();
  const value = raw.startsWith('"') ? raw.slice(1, raw.lastIndexOf('"')).replaceAll('""', '"').trim() : raw;
  return { cell: { from: start, to: end, value }, end, isTorn };
}
