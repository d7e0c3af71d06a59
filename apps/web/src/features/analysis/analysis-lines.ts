import { type ChartLine, lineFromText, lineToText } from '../../app/series/chart-lines.ts';

/** A field of a source of a device. */
export interface StreamLine extends ChartLine {
  device: string;
}

/** A formula that was saved, by its id. */
export interface FormulaLine {
  formula: string;
}

export type AnalysisLine = StreamLine | FormulaLine;

export const isStream = (line: AnalysisLine): line is StreamLine => 'device' in line;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A line as it stands in an address. */
export const analysisLineToText = (line: AnalysisLine): string =>
  isStream(line) ? `${line.device}~${lineToText(line)}` : `formula~${line.formula}`;

/** Null where the text is no line. */
export function analysisLineFromText(text: unknown): AnalysisLine | null {
  if (typeof text !== 'string') return null;
  const cut = text.indexOf('~');
  const [first, rest] = [text.slice(0, cut), text.slice(cut + 1)];
  if (first === 'formula') return UUID.test(rest) ? { formula: rest } : null;
  const line = lineFromText(rest);
  return UUID.test(first) && line ? { device: first, ...line } : null;
}
