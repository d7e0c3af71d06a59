import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, render } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach } from 'vitest';
import publicTexts from '../locales/en/public.json' with { type: 'json' };
import { texts as first } from '../locales/en.first.ts';
import { texts as rest } from '../locales/en.ts';
import { queryClient } from './query-client.ts';
import { signIn, signOut } from './session.ts';
import { cssVariables, theme } from './theme.ts';

// Generous, for machines that are busy with other tests.
configure({ asyncUtilTimeout: 10_000 });

// What jsdom lacks: it lays nothing out, so everything is as large as a screen.
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Object.defineProperty(document, 'fonts', {
  configurable: true,
  value: Object.assign(new EventTarget(), { ready: Promise.resolve() }),
});
Element.prototype.scrollIntoView = () => {};
Element.prototype.scrollTo = () => {};
for (const [property, size] of [
  ['offsetHeight', 600],
  ['offsetWidth', 1200],
  ['clientHeight', 600],
] as const)
  Object.defineProperty(HTMLElement.prototype, property, { configurable: true, value: size });

await i18next.use(initReactI18next).init({
  lng: 'en',
  resources: { en: { translation: publicTexts } },
  interpolation: { escapeValue: false },
});
for (const texts of [first, rest]) i18next.addResourceBundle('en', 'translation', texts, true, true);

afterEach(() => {
  cleanup();
  signOut('asked');
  queryClient.clear();
  localStorage.clear();
});

/** Draws something as it stands in the app, at an address of its own; `path` names the parameters in it. */
export async function showScreen(content: ReactNode, address = '/', path?: string) {
  const root = createRootRoute(path === undefined ? { component: () => content } : {});
  const router = createRouter({
    routeTree:
      path === undefined
        ? root
        : root.addChildren([
            createRoute({ getParentRoute: () => root, path, component: () => content }),
            // Where its links lead.
            createRoute({ getParentRoute: () => root, path: '$', component: () => null }),
          ]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await router.load();
  const screen = render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...screen, router };
}

/** A session token as the server makes them; nothing here checks its signature. */
export function buildToken(claims: Record<string, unknown> = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    _id: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11',
    name: 'Zoë Müller',
    email: 'zoe@example.org',
    iat: now,
    exp: now + 36_000,
    jti: 'a',
    defaultWorkgroup: 'demo',
    memberOf: ['demo'],
    scopes: {
      demo: { role: 'owner', permissions: [], ps: '', devGroup: null, scopes: { device: [] } },
    },
    staff: false,
    ...claims,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  const text = btoa(String.fromCharCode(...bytes));
  return `e30.${text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')}.c2ln`;
}

export const signInAs = (claims: Record<string, unknown> = {}) => signIn(buildToken(claims));

export interface Exchange {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

interface Answer {
  status?: number;
  body?: unknown;
  headers?: HeadersInit;
}

/** A network that answers with what `answer` gives; the list holds what was asked, in order. */
export function fakeNetwork(answer: (asked: Exchange) => Answer | Promise<Answer>) {
  const asked: Exchange[] = [];
  globalThis.fetch = async (input, init) => {
    const request = new Request(
      input instanceof Request ? input : new URL(String(input), location.href),
      init,
    );
    const text = await request.clone().text();
    const isForm = request.headers.get('content-type')?.startsWith('multipart/');
    const exchange = {
      method: request.method,
      path: new URL(request.url).pathname,
      headers: request.headers,
      body: isForm ? text : text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    asked.push(exchange);
    const { status = 200, body = {}, headers = {} } = await answer(exchange);
    return Response.json(body, { status, headers });
  };
  return asked;
}
