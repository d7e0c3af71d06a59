import { describe, expect, it } from 'vitest';
import { positionText, readPosition } from './position.ts';

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
