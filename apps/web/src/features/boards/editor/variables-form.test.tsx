import type { BoardVariable } from '@albedo/contract/boards/variables.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../../app/test-screen.tsx';
import { VariablesForm } from './variables-form.tsx';

const entity = (_id: string, name: string, parent: string | null): Entity => ({
  ...{
    _id,
    name,
    parent,
    children: [],
    labels: [],
    machine: null,
    meta: {},
    settings: {},
    version: 1,
    signals: NO_SIGNALS,
  },
});
const ENTITIES = [
  entity('east', 'East', null),
  entity('west', 'West', null),
  entity('e1', 'Inverter 1', 'east'),
  entity('w1', 'Inverter 1', 'west'),
];
const WORLD = {
  ...{ entities: ENTITIES, sources: [], byId: new Map(ENTITIES.map((one) => [one._id, one])) },
  world: new EntityWorld({ entities: ENTITIES, sources: [] }),
};

let kept: BoardVariable[] = [];
function Form({ first }: { first: BoardVariable }) {
  const [variables, setVariables] = useState([first]);
  kept = variables;
  return <VariablesForm variables={variables} world={WORLD as never} onChange={setVariables} />;
}

test('what a variable is at first is chosen by its name, also where names are shared', async () => {
  const user = userEvent.setup();
  signInAs();
  fakeNetwork(() => ({ body: [] }));
  await showScreen(<Form first={{ name: 'which', kind: 'entity' }} />);
  await user.click(screen.getByRole('combobox', { name: 'At first' }));
  await user.click(await screen.findByRole('option', { name: 'Inverter 1, West' }));
  expect(kept).toEqual([{ name: 'which', kind: 'entity', initial: 'w1' }]);
});

test('what a text is at first is typed', async () => {
  const user = userEvent.setup();
  signInAs();
  fakeNetwork(() => ({ body: [] }));
  await showScreen(<Form first={{ name: 'note', kind: 'text' }} />);
  await user.type(screen.getByRole('textbox', { name: 'At first' }), 'calm');
  expect(kept).toEqual([{ name: 'note', kind: 'text', initial: 'calm' }]);
});
