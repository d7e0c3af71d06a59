import { Tabs } from '@mantine/core';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showScreen } from '../app/test-screen.tsx';
import { TabList } from './tab-list.tsx';

test('the chosen tab comes back into sight when the screen gets narrower', async () => {
  const observers: (() => void)[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(heard: () => void) {
        observers.push(heard);
      }
      observe() {}
      disconnect() {}
    },
  );
  const tabs = ['General', 'Files'].map((title) => ({ id: title, title }));
  await showScreen(
    <Tabs value="Files">
      <TabList tabs={tabs} shown="Files" />
    </Tabs>,
  );
  const tab = await screen.findByRole('tab', { name: 'Files' });
  const reveal = vi.fn();
  tab.scrollIntoView = reveal;
  for (const heard of observers) heard();
  expect(reveal).toHaveBeenCalledWith({ block: 'nearest', inline: 'nearest' });
  vi.unstubAllGlobals();
});
