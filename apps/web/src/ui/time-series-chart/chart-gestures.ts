import type uPlot from 'uplot';
import type { Span } from '../time-range/time-range.ts';

/** Shortest span that a zoom leads to, ms. */
const SHORTEST_MS = 1000;

export interface Gestures {
  span: () => Span;
  /** While fingers or wheel move: only this chart shows it. */
  onPreview: (span: Span) => void;
  /** The gesture has ended. */
  onZoom: (span: Span) => void;
  onZoomOut: () => void;
  /** The crosshair is to stay where it is. */
  onPin: () => void;
}

/**
 * Wheel with Ctrl zooms around the pointer, with Shift it pans; two fingers zoom and pan, one finger moves the
 * crosshair; the arrow keys move it too, plus and minus zoom, Escape and a double click lead back.
 *
 * Keys are heard where `host`, the element around the chart, has the focus. A plain wheel and a vertical swipe scroll
 * the page. Answers what takes the listeners off again.
 */
export function listenToGestures(chart: uPlot, host: HTMLElement, gestures: Gestures): () => void {
  const { over } = chart;
  const off = new AbortController();
  const { signal } = off;
  let settle: ReturnType<typeof setTimeout> | undefined;
  let pinch: { span: Span; distance: number; centre: number } | null = null;

  const shareAt = (clientX: number): number => {
    const box = over.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - box.left) / box.width));
  };
  const previewThenZoom = (span: Span) => {
    gestures.onPreview(span);
    clearTimeout(settle);
    settle = setTimeout(() => gestures.onZoom(span), 250);
  };

  const handleWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    event.preventDefault();
    const delta = event.deltaY || event.deltaX;
    const span = gestures.span();
    if (event.shiftKey) return previewThenZoom(moved(span, Math.sign(delta) * 0.1));
    previewThenZoom(zoomed(span, shareAt(event.clientX), delta > 0 ? 1.25 : 0.8));
  };
  over.addEventListener('wheel', handleWheel, { passive: false, signal });
  over.addEventListener('dblclick', () => gestures.onZoomOut(), { signal });

  const handleTouch = (event: TouchEvent) => {
    const [one, two] = [event.touches[0], event.touches[1]];
    if (one && !two && !pinch) return moveCrosshair(chart, one.clientX, one.clientY);
    if (!one || !two) return;
    event.preventDefault();
    const distance = Math.max(20, Math.abs(one.clientX - two.clientX));
    const centre = shareAt((one.clientX + two.clientX) / 2);
    pinch ??= { span: gestures.span(), distance, centre };
    const turned = moved(zoomed(pinch.span, pinch.centre, pinch.distance / distance), 0);
    const shift = (pinch.centre - centre) * (turned.to - turned.from);
    gestures.onPreview({ from: turned.from + shift, to: turned.to + shift });
  };
  over.addEventListener('touchstart', handleTouch, { passive: false, signal });
  over.addEventListener('touchmove', handleTouch, { passive: false, signal });
  over.addEventListener(
    'touchend',
    (event) => {
      if (!pinch || event.touches.length > 0) return;
      pinch = null;
      gestures.onZoom(gestures.span());
    },
    { signal },
  );

  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    const zoom = { '+': 0.5, '=': 0.5, '-': 2 }[event.key];
    if (step !== undefined) stepCrosshair(chart, step);
    else if (zoom !== undefined) gestures.onZoom(zoomed(gestures.span(), 0.5, zoom));
    else if (event.key === 'Escape') gestures.onZoomOut();
    else if (event.key === 'Enter') gestures.onPin();
    else return;
    event.preventDefault();
  };
  host.addEventListener('keydown', handleKey, { signal });

  return () => {
    clearTimeout(settle);
    off.abort();
  };
}

/** The span made longer or shorter by `factor` around a share of it. */
export function zoomed(span: Span, share: number, factor: number): Span {
  const length = Math.max(SHORTEST_MS, (span.to - span.from) * factor);
  const centre = span.from + (span.to - span.from) * share;
  return { from: Math.round(centre - length * share), to: Math.round(centre + length * (1 - share)) };
}

/** The span moved by a share of its length. */
export function moved(span: Span, share: number): Span {
  const shift = Math.round((span.to - span.from) * share);
  return { from: span.from + shift, to: span.to + shift };
}

function moveCrosshair(chart: uPlot, clientX: number, clientY: number): void {
  const box = chart.over.getBoundingClientRect();
  chart.setCursor({ left: clientX - box.left, top: clientY - box.top });
}

function stepCrosshair(chart: uPlot, step: number): void {
  const times = chart.data[0];
  if (!times || times.length === 0) return;
  const current = chart.cursor.idx ?? (step > 0 ? -1 : times.length);
  const next = Math.min(times.length - 1, Math.max(0, current + step));
  const time = times[next];
  if (typeof time === 'number') {
    chart.setCursor({ left: chart.valToPos(time, 'x'), top: chart.over.clientHeight / 3 });
  }
}
