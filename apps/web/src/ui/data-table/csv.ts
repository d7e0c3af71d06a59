import { type Column, textOf } from './column.ts';

/**
 * A CSV text (RFC 4180, with a byte order mark so that spreadsheets read UTF-8) of these columns and rows.
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe in front; plain numbers stay numbers.
 */
export function toCsv<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const lines = [columns.map((column) => quote(column.title))];
  for (const row of rows) lines.push(columns.map((column) => quote(textOf(column, row))));
  return `\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

/** Hands a file to the person. */
export function saveFile(name: string, content: Blob | string): void {
  const blob =
    typeof content === 'string' ? new Blob([content], { type: 'text/csv;charset=utf-8' }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function quote(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !Number.isFinite(Number(text));
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
