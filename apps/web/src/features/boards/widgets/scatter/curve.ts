/** Classes of x; one with fewer pairs says nothing. */
const [CLASSES, LEAST] = [24, 3];

/** The mean of y in equal classes of x, at their middles; null where there are too few pairs. `x` rises. */
export function curveOf({
  x,
  y,
}: {
  x: readonly number[];
  y: readonly number[];
}): { x: number[]; y: number[] } | null {
  const [low, high] = [x[0], x.at(-1)];
  if (low === undefined || high === undefined || !(high > low)) return null;
  const width = (high - low) / CLASSES;
  const sums = Array.from({ length: CLASSES }, () => ({ sum: 0, count: 0 }));
  x.forEach((value, i) => {
    const one = sums[Math.min(CLASSES - 1, Math.floor((value - low) / width))];
    if (!one) return;
    one.sum += y[i] ?? 0;
    one.count++;
  });
  const full = sums.flatMap(({ sum, count }, at) =>
    count >= LEAST ? [{ x: low + (at + 0.5) * width, y: sum / count }] : [],
  );
  return full.length < 2 ? null : { x: full.map((one) => one.x), y: full.map((one) => one.y) };
}
