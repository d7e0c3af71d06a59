import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { LABELS_SETTING } from '@albedo/contract/entities/labels';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { takeWorkgroups } from '../../app/session.ts';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { EntityTree } from './entity-tree.tsx';

import { TreeIndex } from './tree-rows.ts';

const hilltop: Entity = {
  _id: 'hilltop',
  name: 'Hilltop',
  parent: null,
  labels: ['site', 'gone'],
  machine: null,
  children: [],
  meta: {},
  signals: NO_SIGNALS,
  settings: {},
  version: 1,
};

test('a line is called by all that it shows, so that who speaks to the screen can say what they see', async () => {
  signInAs();
  const settings = { [LABELS_SETTING]: [{ id: 'site', name: 'Solar site', color: '#3f8f5f' }] };
  const workgroup = { name: 'demo', displayName: 'Demo', theme: null, idpId: null, addons: [], settings };
  takeWorkgroups([workgroup]);
  const rows = new TreeIndex([hilltop]).rows(new Set(), '');
  const nothing = () => {};
  await showScreen(
    <EntityTree
      rows={rows}
      mode="reorganise"
      active={null}
      chosen={new Set()}
      unsaved={new Map([['hilltop', 'moved']])}
      wanted=""
      onActive={nothing}
      onChoose={nothing}
      onTurn={nothing}
      canDrop={() => false}
      onDrop={nothing}
    />,
  );
  expect(screen.getByRole('treeitem', { name: 'Hilltop moved Solar site gone' })).toBeTruthy();
});
