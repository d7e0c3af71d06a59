import { expect, test } from 'vitest';
import { parseAzimuth, pointOf, rotateAzimuth } from './azimuth.ts';

test('an azimuth is read with its slopes', () => {
  expect(parseAzimuth('180')).toEqual({ azimuth: 180, slopes: [] });
  expect(parseAzimuth('-90{10 20}')).toEqual({ azimuth: -90, slopes: [10, 20] });
});

test('anything but digits, minus, braces and spaces is none', () => {
  for (const text of ['south', '0.5:90', '90,270', '90{10', '', '{10}', '--9'])
    expect([text, parseAzimuth(text)]).toEqual([text, null]);
});

test('an azimuth is turned by where its zero points, within a full turn', () => {
  expect(rotateAzimuth(10)).toBe(10);
  expect(rotateAzimuth(0, 'south')).toBe(180);
  expect(rotateAzimuth(270, 'east')).toBe(0);
  expect(rotateAzimuth(-90, 'south')).toBe(90);
  expect(rotateAzimuth(-300)).toBe(60);
});

test('a point of the compass is named', () => {
  expect([0, 44, 90, 180, 337, 350].map(pointOf)).toEqual(['n', 'ne', 'e', 's', 'nw', 'n']);
});
