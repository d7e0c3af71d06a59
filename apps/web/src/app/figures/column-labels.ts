/**
 * Which of many columns have room for their day below them: the first of each day, at most `most` of them. Each has the
 * room up to the next one, or to the end.
 */
export function labelledColumns(days: readonly string[], most: number): ReadonlySet<number> {
  const apart = Math.ceil(days.length / most);
  const labelled = new Set<number>();
  let next = days.length;
  for (let i = days.length - 1; i >= 0; i--) {
    if (days[i] === days[i - 1] || next - i < apart) continue;
    labelled.add(i);
    next = i;
  }
  return labelled;
}
