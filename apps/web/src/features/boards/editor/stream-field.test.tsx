import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { takeWorkgroups } from '../../../app/session.ts';
import { fakeNetwork, showScreen, signInAs } from '../../../app/test-screen.tsx';
import { linesOf } from '../lines.ts';
import { StreamField } from './stream-field.tsx';

const inverter = (source: string, labels: string[]): KnownSource => ({
  ...{ deviceId: 'd', table: 'solar', source, kind: 'inverter', labels },
  fields: [{ name: 'AC', units: 'W', role: 'acPower', factor: 1, offset: 0 }],
});
const SOURCES = [inverter('inv-1', ['pv']), inverter('inv-2', ['pv', 'east'])];
const ROOF = {
  ...{ _id: 'roof', name: 'Roof', parent: null, children: [], labels: [], machine: null, meta: {} },
  signals: { ...NO_SIGNALS, sources: SOURCES.map(({ deviceId, source }) => ({ deviceId, source })) },
} as unknown as Entity;
const world = new EntityWorld({ entities: [ROOF], sources: SOURCES });
const WORLD = { entities: [ROOF], sources: SOURCES, byId: new Map([['roof', ROOF]]), world };

let kept: BoardStream = { over: 'self', role: 'acPower', combine: 'each' };
function Field() {
  const [stream, setStream] = useState(kept);
  kept = stream;
  return <StreamField value={stream} world={WORLD} onChange={setStream} />;
}

test('a stream may be of the sources with one label alone', async () => {
  const user = userEvent.setup();
  signInAs();
  const labels = [
    { id: 'pv', name: 'Solar' },
    { id: 'east', name: 'East roof' },
    { id: 'unused', name: 'Unused' },
  ];
  takeWorkgroups([{ name: 'demo', displayName: 'Demo', addons: [], settings: { labels } } as never]);
  fakeNetwork(() => ({
    body: SOURCES.map(({ deviceId: device, source, labels: own }) => ({
      ...{ device, source, labels: own, parent: null },
    })),
  }));
  await showScreen(<Field />);
  const sources = () =>
    linesOf(world, 'roof', kept).flatMap(({ streams }) => streams.map((one) => one.source));
  expect(sources()).toEqual(['inv-1', 'inv-2']);
  await user.click(await screen.findByRole('combobox', { name: 'Only sources labelled' }));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Solar', 'East roof']);
  await user.click(screen.getByRole('option', { name: 'East roof' }));
  expect(kept.sourceLabel).toBe('east');
  expect(sources()).toEqual(['inv-2']);
});
