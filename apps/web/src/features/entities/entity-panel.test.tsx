import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { EntityPanel } from './entity-panel.tsx';
import { TreeIndex } from './tree-rows.ts';

const hilltop: Entity = {
  _id: 'hilltop',
  name: 'Hilltop',
  parent: null,
  labels: [],
  machine: null,
  children: [],
  meta: {},
  signals: NO_SIGNALS,
  settings: {},
  version: 1,
};

test.each([
  [true, 1],
  [false, 0],
])(
  'what one entity can have done is offered while it is looked at (%s), not beside a bulk edit',
  async (isLookedAt, offered) => {
    signInAs();
    const index = new TreeIndex([hilltop]);
    await showScreen(
      <EntityPanel entity={hilltop} index={index} isLookedAt={isLookedAt} onGone={() => {}} />,
    );
    expect(screen.getByRole('heading', { name: 'Hilltop' })).toBeTruthy();
    expect(screen.queryAllByRole('button', { name: 'Edit labels' })).toHaveLength(offered);
    expect(screen.queryAllByRole('button', { name: 'Delete' })).toHaveLength(offered);
  },
);
