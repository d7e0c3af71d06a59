import type uPlot from 'uplot';
import type { ChartTheme } from './chart-theme.ts';
import { withOpacity } from './palette.ts';

/** Something to know about a stretch of time or an instant; epoch ms. */
export interface ChartMark {
  id: string;
  kind: 'gap' | 'event';
  from: number;
  to: number;
  /** For people, in one line. */
  text: string;
}

/** How near to the crosshair an instant counts as under it, CSS pixels. */
const NEAR_PX = 6;

const HUES = {
  light: { gap: '#b45309', event: '#5b6159' },
  dark: { gap: '#ffb454', event: '#9ca59a' },
} as const;

/** Paints marks over the lines, and the pinned crosshair. */
export function paintMarks(
  chart: uPlot,
  marks: readonly ChartMark[],
  pinned: number | null,
  theme: ChartTheme,
): void {
  const { ctx } = chart;
  const { left, top, width, height } = chart.bbox;
  const ratio = height / Math.max(1, chart.over.clientHeight || 1);
  const place = (at: number) => chart.valToPos(at, 'x', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  for (const { kind, from, to } of marks) {
    const hue = HUES[theme.scheme][kind];
    const [x, end] = [place(from), place(to)];
    if (end < left || x > left + width) continue;
    if (kind === 'gap') {
      ctx.fillStyle = withOpacity(hue, 0.12);
      ctx.fillRect(x, top, Math.max(ratio, end - x), height);
      ctx.fillStyle = hue;
      ctx.fillRect(x, top, Math.max(2 * ratio, end - x), 3 * ratio);
    } else {
      ctx.fillStyle = hue;
      ctx.beginPath();
      ctx.moveTo(x - 4 * ratio, top + height);
      ctx.lineTo(x + 4 * ratio, top + height);
      ctx.lineTo(x, top + height - 7 * ratio);
      ctx.fill();
    }
  }
  if (pinned !== null) {
    ctx.strokeStyle = theme.text;
    ctx.lineWidth = ratio;
    ctx.beginPath();
    ctx.moveTo(place(pinned), top);
    ctx.lineTo(place(pinned), top + height);
    ctx.stroke();
  }
  ctx.restore();
}

/** What is under the crosshair at an instant. */
export function marksAt(chart: uPlot, marks: readonly ChartMark[], at: number): ChartMark[] {
  const near = Math.abs(chart.posToVal(NEAR_PX, 'x') - chart.posToVal(0, 'x'));
  return marks.filter(({ from, to }) => at >= from - near && at <= to + near);
}
