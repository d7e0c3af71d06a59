import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { AnalysisNotes } from './analysis-notes.tsx';
import type { DrawnLine } from './drawn-lines.ts';

const stream = { device: 'd', table: 'solar', source: 's', field: 'AC', factor: 1, offset: 0, part: 1 };
const line = (count: number): DrawnLine => ({
  ...{ table: 'solar', source: '', field: 'AC' },
  ...{
    key: 'k',
    label: 'Portfolio: AC power',
    owner: '',
    combine: 'sum',
    units: 'W',
    isStepped: false,
    zone: null,
  },
  streams: Array.from({ length: count }, () => stream),
});

test.each([
  [300, 0],
  [301, 1],
])('a line of %d streams says that it is left out where it is', async (count, notes) => {
  signInAs();
  await showScreen(
    <AnalysisNotes
      address={{ isNormalised: false, hasClearSky: false, hasMarks: false }}
      analysis={{ drawn: [line(count)], known: new Map(), unknownCount: 0 }}
      devices={[]}
    />,
  );
  expect(screen.queryAllByText(/“Portfolio: AC power” has 301 streams/)).toHaveLength(notes);
});
