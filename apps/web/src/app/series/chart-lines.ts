/** One line of a device's charts: which field of which stream. */
export interface ChartLine {
  table: string;
  source: string;
  field: string;
}

/** A line as it stands in an address. */
export const lineToText = ({ table, source, field }: ChartLine): string =>
  [table, source, field].map((part) => encodeURIComponent(part).replaceAll('~', '%7E')).join('~');

/** Null where the text is no line. */
export function lineFromText(text: unknown): ChartLine | null {
  if (typeof text !== 'string') return null;
  try {
    const [table, source, field, ...rest] = text.split('~').map((part) => decodeURIComponent(part));
    return table && source && field && rest.length === 0 ? { table, source, field } : null;
  } catch {
    // A broken escape: somebody wrote the address by hand.
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
