import { describe, expect, it } from 'vitest';
import { labelShiftPx, positionText, readPosition } from './position.ts';

describe('the position of a device', () => {
  it('is read from texts with a point or a comma', () => {
    expect(readPosition('41.4', ' 2,17 ')).toEqual({ latitude: 41.4, longitude: 2.17 });
  });

  it('is nothing where a half is missing or lies nowhere on Earth', () => {
    expect(readPosition('41.4', '')).toBeNull();
    expect(readPosition(undefined, '2')).toBeNull();
    expect(readPosition('95', '2')).toBeNull();
    expect(readPosition('north', '2')).toBeNull();
  });

  it('is given in words', () => {
    expect(positionText({ latitude: -27.3, longitude: 153.1 })).toBe('27.3000° S, 153.1000° E');
  });
});

describe('the name of a place', () => {
  it('moves inward where the edge of the map would cut it off', () => {
    expect(labelShiftPx(20, 100, 340)).toBe(34);
    expect(labelShiftPx(330, 100, 340)).toBe(-44);
    expect(labelShiftPx(170, 100, 340)).toBe(0);
  });

  it('stays where its place is out of sight or the map is too narrow for it', () => {
    expect(labelShiftPx(-1, 100, 340)).toBe(0);
    expect(labelShiftPx(341, 100, 340)).toBe(0);
    expect(labelShiftPx(20, 100, 104)).toBe(0);
  });
});
