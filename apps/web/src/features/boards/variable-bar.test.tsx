import type { BoardItem } from '@albedo/contract/boards/board-items';
import type { BoardVariable } from '@albedo/contract/boards/variables.schema';
import { fullSettings } from '@albedo/contract/boards/widgets/full-settings';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { type BoardContext, BoardRoom } from './board-context.ts';
import { useBindings } from './use-bindings.ts';
import { VariableBar } from './variable-bar.tsx';
import { WidgetFrame } from './widget-frame.tsx';
import { widgetOf } from './widgets/widgets.ts';

const PLANT: BoardVariable = { name: 'plant', kind: 'entity', title: 'Plant', options: ['site'] };
const NOTE: BoardVariable = { name: 'note', kind: 'text', title: 'Note', initial: 'Nothing yet' };
const entity = (_id: string, name: string, labels: string[]) => ({ _id, name, labels });
const ENTITIES = [
  entity('hill', 'Hilltop', ['site']),
  entity('yard', 'Yard', ['site']),
  entity('x', 'Else', []),
];

function TestBoard({ item }: { item: BoardItem }) {
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const of = { entities: ENTITIES as never, labels: [] };
  const bindings = useBindings([PLANT], chosen, of);
  const board = {
    ...{ ...of, bindings, entityId: 'hill', isEditing: false, widgetOf, settingsOf: fullSettings },
    byId: new Map(ENTITIES.map((one) => [one._id, one])),
    choices: {
      chosen,
      choose: (key: string, value: string) => setChosen((old) => ({ ...old, [key]: value })),
    },
  } as unknown as BoardContext;
  return (
    <BoardRoom value={board}>
      <VariableBar variables={[PLANT]} />
      <WidgetFrame item={item} />
    </BoardRoom>
  );
}

test('what is chosen stands in titles; a widget has variables of its own beside those of the board', async () => {
  signInAs();
  await showScreen(
    <TestBoard
      item={{
        id: 'a',
        kind: 'text',
        title: '{{plant}}: {{note}}',
        variables: [NOTE],
        settings: { text: '' },
      }}
    />,
  );
  expect(await screen.findByRole('heading', { name: 'Hilltop: Nothing yet' })).toBeTruthy();
  await userEvent.click(screen.getByRole('combobox', { name: 'Plant' }));
  expect(screen.queryByRole('option', { name: 'Else' })).toBeNull();
  await userEvent.click(screen.getByRole('option', { name: 'Yard' }));
  const note = screen.getByRole('textbox', { name: 'Note' });
  await userEvent.clear(note);
  await userEvent.type(note, 'Cleaned');
  expect(await screen.findByRole('heading', { name: 'Yard: Cleaned' })).toBeTruthy();
});
