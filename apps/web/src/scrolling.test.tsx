import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeNetwork, signInAs } from './app/test-screen.tsx';
import { cssVariables, theme } from './app/theme.ts';
import { router } from './router.tsx';

const workgroup = { name: 'demo', displayName: 'Demo', theme: null, idpId: null, addons: [], settings: {} };

test('another screen begins at its top, one that is gone back to where it was left, and a filter moves nothing', async () => {
  signInAs();
  fakeNetwork(({ path }) => ({ body: path.endsWith('/orgs') ? [workgroup] : [] }));
  await router.navigate({ href: '/announcements' });
  await act(async () =>
    render(
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
        <RouterProvider router={router} />
      </MantineProvider>,
    ),
  );
  const main = await screen.findByRole('main');
  // jsdom lays nothing out, and so scrolls nothing.
  main.scrollTo = (to?: ScrollToOptions | number) => {
    main.scrollTop = typeof to === 'object' ? (to.top ?? 0) : 0;
  };
  main.scrollTop = 300;
  main.dispatchEvent(new Event('scroll'));
  await act(() => router.navigate({ href: '/newannouncements' }));
  expect(main.isConnected).toBe(true);
  expect(main.scrollTop).toBe(0);
  // Dialogs and lines that come in between change no place.
  main.before(document.createElement('div'));
  act(() => router.history.back());
  await waitFor(() => expect(main.scrollTop).toBe(300));
  const search = { q: '1' } as never;
  await act(() => router.navigate({ to: '.', search, replace: true, resetScroll: false }));
  expect(main.scrollTop).toBe(300);
});
