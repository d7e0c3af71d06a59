import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
  redirect,
} from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { useDiagnostics } from './use-diagnostics.ts';

function Around() {
  useDiagnostics();
  return <Outlet />;
}

test('a page counts when it is there: not the address that led to it, nor a page that was refused', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store
  document.cookie = 'XSRF-TOKEN=x';
  signInAs();
  const asked = fakeNetwork(() => ({}));
  const root = createRootRoute({ component: Around });
  const page = (path: string) => createRoute({ getParentRoute: () => root, path });
  const leading = createRoute({
    getParentRoute: () => root,
    path: '/admin/access',
    beforeLoad: async () => {
      await new Promise((resolve) => setTimeout(resolve));
      throw redirect({ to: '/admin/access/users' as string });
    },
  });
  const router = createRouter({
    routeTree: root.addChildren([page('/devices'), page('/profile'), page('/admin/access/users'), leading]),
    history: createMemoryHistory({ initialEntries: ['/devices'] }),
  });
  render(<RouterProvider router={router as never} />);
  const views = () => asked.map(({ body }) => (body as { location: string }).location);
  await vi.waitFor(() => expect(views()).toEqual(['/devices']));
  for (const to of ['/admin/access', '/profile', '/profile?tab=security'])
    await act(() => router.navigate({ href: to }));
  await vi.waitFor(() => expect(views()).toEqual(['/devices', '/admin/access/users', '/profile']));
});
