import { describe, expect, it } from 'vitest';
import { againstBest, rowsOverTime } from './heat-rows.ts';

describe('entities by time', () => {
  it('have a row each and the same columns, also where one has a gap or begins later', () => {
    expect(
      rowsOverTime([
        { times: [0, 10, 20], avg: [1, null, 3] },
        undefined,
        { times: [10, 20, 30], avg: [5, 6, 7] },
      ]),
    ).toEqual({
      times: [0, 10, 20, 30],
      cells: [
        { row: 0, column: 0, value: 1 },
        { row: 0, column: 2, value: 3 },
        { row: 2, column: 1, value: 5 },
        { row: 2, column: 2, value: 6 },
        { row: 2, column: 3, value: 7 },
      ],
    });
  });
});

describe('values against the best peer', () => {
  const cells = [
    { row: 0, column: 0, value: 50 },
    { row: 1, column: 0, value: 75 },
    { row: 0, column: 1, value: 0 },
    { row: 1, column: 1, value: 0.5 },
  ];

  it('are shares of the best one at the same time, and nights are left out', () => {
    expect(againstBest(cells, [100, null])).toEqual([
      { row: 0, column: 0, value: (100 * 50) / 75 },
      { row: 1, column: 0, value: 100 },
    ]);
  });

  it('are compared by what each is rated for, where all say it', () => {
    expect(againstBest(cells.slice(0, 2), [50, 150]).map(({ value }) => value)).toEqual([100, 50]);
  });

  it('below nothing are no shares of it', () => {
    expect(againstBest([{ row: 0, column: 0, value: -4 }], [])).toEqual([]);
  });
});
