import { describe, expect, it } from 'vitest';
import { LiveBuffer } from './live-buffer.ts';

describe('the buffer of a live chart', () => {
  it('holds between its capacity and twice that, and drops the oldest', () => {
    const buffer = new LiveBuffer(['a'], 100);
    for (let i = 0; i < 1234; i++) buffer.push(i, { a: i }, i);
    expect(buffer.times.length).toBeGreaterThanOrEqual(100);
    expect(buffer.times.length).toBeLessThan(200);
    expect(buffer.times.at(-1)).toBe(1233);
    expect(buffer.columns[0]).toHaveLength(buffer.times.length);
    expect(buffer.columns[0]?.at(-1)).toBe(1233);
  });

  it('shows texts and missing values as gaps', () => {
    const buffer = new LiveBuffer(['a', 'b']);
    buffer.push(1, { a: 'on', b: 5 }, 1);
    buffer.push(2, { b: null }, 2);
    expect(buffer.columns).toEqual([
      [null, null],
      [5, null],
    ]);
  });

  it('joins values of one instant, leaves late samples out, and starts over when the clock jumps back', () => {
    const buffer = new LiveBuffer(['a', 'b']);
    buffer.push(100_000, { a: 1 }, 0);
    buffer.push(100_000, { b: 2 }, 0);
    buffer.push(99_000, { a: 9 }, 0);
    expect([buffer.times, buffer.columns]).toEqual([[100_000], [[1], [2]]]);
    buffer.push(10_000, { a: 3 }, 0);
    expect([buffer.times, buffer.columns]).toEqual([[10_000], [[3], [null]]]);
  });

  it('has its right edge at the present of the device, whatever the browser believes', () => {
    const buffer = new LiveBuffer(['a']);
    buffer.push(1_000_000, { a: 1 }, 5000);
    buffer.push(1_001_000, { a: 1 }, 6400);
    expect(buffer.edgeAt(7000)).toBe(1_002_000);
    expect(buffer.edgeAt(0)).toBe(1_001_000);
  });
});
