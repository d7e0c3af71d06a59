import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { showScreen } from '../../app/test-screen.tsx';
import { NoLine } from './lines.ts';
import { WidgetBoundary } from './widget-error.tsx';

function Figure({ entity }: { entity: string }) {
  if (entity === 'yard') throw new NoLine('missing', { path: '', table: 'solar', field: 'P', entity });
  return <p>12.4 kW of {entity}</p>;
}

const SETTINGS = {};

function Board() {
  const [entity, setEntity] = useState('yard');
  return (
    <>
      <button type="button" onClick={() => setEntity('hill')}>
        Next
      </button>
      <WidgetBoundary of={[SETTINGS, entity]}>
        <Figure entity={entity} />
      </WidgetBoundary>
    </>
  );
}

test('a widget that has nothing for one entity shows the next one', async () => {
  await showScreen(<Board />);
  expect(screen.queryByText(/kW/)).toBeNull();
  act(() => screen.getByRole('button', { name: 'Next' }).click());
  expect(screen.getByText('12.4 kW of hill')).toBeTruthy();
});
