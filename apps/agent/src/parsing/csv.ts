const ESCAPABLE = new Set(['"', '\\', ',']);

/**
 * The columns of one CSV line: comma, double quotes, and a backslash before a quote, comma or backslash that is
 * meant as itself. A doubled quote inside quotes is read as one too, since other programs write it so.
 *
 * Null when a quote is never closed: the line is damaged.
 */
export function splitCsv(line: string): string[] | null {
  if (!line.includes('"') && !line.includes('\\')) return line.split(',');
  const columns: string[] = [];
  let column = '';
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    const next = line[at + 1];
    if (char === '\\' && next !== undefined && ESCAPABLE.has(next)) {
      column += next;
      at++;
    } else if (char === '"' && quoted && next === '"') {
      column += '"';
      at++;
    } else if (char === '"' && (quoted || column === '')) {
      quoted = !quoted;
    } else if (char === ',' && !quoted) {
      columns.push(column);
      column = '';
    } else {
      column += char;
    }
  }
  if (quoted) return null;
  columns.push(column);
  return columns;
}
