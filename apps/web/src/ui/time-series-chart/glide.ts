import { wantsMotion } from '../motion.ts';
import type { Span } from '../time-range/time-range.ts';

const GLIDE_MS = 160;

/**
 * Moves from one span to another one, frame by frame, so that one sees what a zoom did to the axis; at once for people who
 * want no motion. The answer stops it where it is.
 */
export function glide(from: Span, to: Span, show: (span: Span) => void): () => void {
  if (!wantsMotion()) {
    show(to);
    return () => {};
  }
  const begunAt = performance.now();
  let frame = 0;
  const step = () => {
    const share = Math.min(1, (performance.now() - begunAt) / GLIDE_MS);
    const eased = 1 - (1 - share) ** 3;
    const between = (a: number, b: number) => a + (b - a) * eased;
    show(share === 1 ? to : { from: between(from.from, to.from), to: between(from.to, to.to) });
    if (share < 1) frame = requestAnimationFrame(step);
  };
  step();
  return () => cancelAnimationFrame(frame);
}

/** Whether a span is another view, and not the same one a moment later. */
export const isZoom = (from: Span, to: Span): boolean => {
  const [before, after] = [from.to - from.from, to.to - to.from];
  return Math.abs(after - before) > 0.02 * before;
};
