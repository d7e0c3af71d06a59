export interface ChangedLine {
  /** It goes, it comes, or it stands beside a change. */
  mark: '−' | '+' | ' ';
  line: string;
  /** Its place in the text that it is from. */
  number: number;
}

/** Lines that are shown before and after what changes. */
const CONTEXT = 3;

/** What goes and what comes between the first and the last line that differ, with some lines around it. */
export function changedLines(before: string, after: string): ChangedLine[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const part = (lines: string[], mark: ChangedLine['mark'], from: number, to: number): ChangedLine[] =>
    lines.slice(from, to).map((line, i) => ({ mark, line, number: from + i }));
  const end = fresh.length - tail;
  return [
    ...part(fresh, ' ', Math.max(0, head - CONTEXT), head),
    ...part(old, '−', head, old.length - tail),
    ...part(fresh, '+', head, end),
    ...part(fresh, ' ', end, Math.min(fresh.length, end + CONTEXT)),
  ];
}
