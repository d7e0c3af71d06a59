import { expect, test } from 'vitest';
import { formatOrientation, parseAzimuth, parseOrientation, rotateAzimuth } from './orientation.ts';

const planesOf = (...args: Parameters<typeof parseOrientation>) => parseOrientation(...args).planes;

test('one azimuth with its slope beside it is one plane', () => {
  expect(planesOf('180', '30')).toEqual([{ azimuthDeg: 180, tiltDeg: 30, share: 1 }]);
  expect(planesOf(180, 30)).toEqual([{ azimuthDeg: 180, tiltDeg: 30, share: 1 }]);
});

test('a list without shares is split evenly', () => {
  expect(planesOf('90,270', '10')).toEqual([
    { azimuthDeg: 90, tiltDeg: 10, share: 0.5 },
    { azimuthDeg: 270, tiltDeg: 10, share: 0.5 },
  ]);
});

test('shares stand before azimuths, slopes in braces behind them with shares of their own', () => {
  expect(planesOf('0.6:90,0.4:270', 10)).toEqual([
    { azimuthDeg: 90, tiltDeg: 10, share: 0.6 },
    { azimuthDeg: 270, tiltDeg: 10, share: 0.4 },
  ]);
  expect(planesOf(' 90 {10} , 270{0.25:10, 0.75:15} ')).toEqual([
    { azimuthDeg: 90, tiltDeg: 10, share: 0.5 },
    { azimuthDeg: 270, tiltDeg: 10, share: 0.125 },
    { azimuthDeg: 270, tiltDeg: 15, share: 0.375 },
  ]);
});

test('a list of slopes beside belongs to each azimuth that has none of its own', () => {
  expect(planesOf('90{5},270', '0.25:10,0.75:20')).toEqual([
    { azimuthDeg: 90, tiltDeg: 5, share: 0.5 },
    { azimuthDeg: 270, tiltDeg: 10, share: 0.125 },
    { azimuthDeg: 270, tiltDeg: 20, share: 0.375 },
  ]);
});

test('azimuths are turned by where 0 points', () => {
  expect(planesOf('0,-90,90', 10, 'south')?.map((plane) => plane.azimuthDeg)).toEqual([180, 90, 270]);
  expect(planesOf('0', 10, 'east')?.[0]?.azimuthDeg).toBe(90);
  expect(rotateAzimuth(100, 'west')).toBe(10);
  expect(rotateAzimuth(-30)).toBe(330);
});

test.each([
  ['', 10, 'empty', 0],
  ['  ', 10, 'empty', 2],
  ['south', 10, 'syntax', 0],
  ['90,', 10, 'syntax', 3],
  ['90{10', null, 'syntax', 5],
  ['90{10}}', null, 'syntax', 6],
  ['90;270', 10, 'syntax', 2],
  ['0.6:90,0.3:270', 10, 'shares', 0],
  ['90{10},270{0.5:10,0.6:15}', null, 'shares', 11],
  ['1.5:90,-0.5:270', 10, 'shares', 0],
  ['0.6:90,270', 10, 'some_shares', 7],
  ['361', 10, 'azimuth', 0],
  ['90{91}', null, 'slope', 3],
  ['90{-1}', null, 'slope', 3],
  ['90{10},270', null, 'no_slope', 7],
] as const)('"%s" is refused with what is wrong and where', (azimuth, slope, fault, at) => {
  expect(parseOrientation(azimuth, slope)).toEqual({ planes: null, fault, at, in: 'azimuth' });
});

test('a slope that is wrong is said to be the slope', () => {
  expect(parseOrientation('90', '10,100')).toEqual({ planes: null, fault: 'slope', at: 3, in: 'slope' });
});

test('three thirds make one', () => {
  const planes = planesOf('0.33:90,0.33:180,0.33:270', 10) ?? [];
  expect(planes.reduce((sum, plane) => sum + plane.share, 0)).toBeCloseTo(1, 12);
});

test('what is written is read as the same planes', () => {
  const planes = planesOf('0.6:90{5},0.4:270{0.25:10,0.75:15}') ?? [];
  const again = planesOf(formatOrientation(planes)) ?? [];
  expect(again).toHaveLength(3);
  again.forEach((plane, i) => {
    expect(plane).toEqual({ ...planes[i], share: expect.closeTo(planes[i]?.share ?? 0, 4) });
  });
});

test('the short form that people type has an azimuth and perhaps a slope', () => {
  expect(parseAzimuth('180')).toEqual({ azimuthDeg: 180, slopeDeg: null });
  expect(parseAzimuth(' -90 { 15 } ')).toEqual({ azimuthDeg: -90, slopeDeg: 15 });
  expect(parseAzimuth('0.5:90')).toBeNull();
  expect(parseAzimuth('90,270')).toBeNull();
  expect(parseAzimuth('south')).toBeNull();
});
