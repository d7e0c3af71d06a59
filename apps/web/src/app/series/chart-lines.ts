/** One line of a device's charts: which field of which stream. */
export interface ChartLine {
  table: string;
  source: string;
  field: string;
}

/** A line as it stands in an address. */
export const lineToText = ({ table, source, field }: ChartLine): string =>
  partsToText([table, source, field]);

/** Null where the text is no line. */
export function lineFromText(text: unknown): ChartLine | null {
  const [table, source, field, ...rest] = (typeof text === 'string' && partsOf(text)) || [];
  return table && source && field && rest.length === 0 ? { table, source, field } : null;
}

/** Several names as one text of an address. */
export const partsToText = (parts: readonly string[]): string =>
  parts.map((part) => encodeURIComponent(part).replaceAll('~', '%7E')).join('~');

/** The other way round; null for a broken escape, as in an address that somebody wrote by hand. */
export function partsOf(text: string): string[] | null {
  try {
    return text.split('~').map((part) => decodeURIComponent(part));
  } catch {
    return null;
  }
}

/** Name of a line among others: what all of them share is left out. */
export function lineLabel(line: ChartLine, all: readonly ChartLine[]): string {
  const differs = (part: keyof ChartLine) => all.some((other) => other[part] !== line[part]);
  const parts: string[] = [];
  if (differs('table')) parts.push(line.table);
  if (differs('source')) parts.push(line.source);
  if (differs('field') || parts.length === 0) parts.push(line.field);
  return parts.join(' / ');
}
