import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { openInside } from './app/inside.ts';
import { showScreen } from './app/test-screen.tsx';
import { hasHelp, loadHelp, loadHelpIndex } from './features/help/help-pages.ts';
import { HelpPanel } from './features/help/help-panel.tsx';
import { readTexts } from './locales/test-texts.ts';
import { router } from './router.tsx';

await openInside();

test('every page that a screen names exists in every language, and is a translation', async () => {
  const routes = Object.values(router.routesByPath);
  const keys = new Set(routes.flatMap(({ options }) => options.staticData?.support ?? []));
  expect(keys.size).toBeGreaterThan(3);
  for (const key of keys) {
    expect(hasHelp(key)).toBe(true);
    const texts = await Promise.all((['en', 'de', 'es'] as const).map((one) => loadHelp(key, one)));
    expect(new Set(texts.map(({ text }) => text)).size).toBe(3);
  }
});

test('every screen behind the sign-in has a page', () => {
  const screens = Object.values(router.routesByPath).filter(({ options }) => options.staticData?.title);
  const shown = screens.filter(({ parentRoute }) => parentRoute !== router.routeTree);
  expect(shown.length).toBeGreaterThan(10);
  for (const { fullPath, options } of shown)
    expect([fullPath, hasHelp(options.staticData?.support)]).toEqual([fullPath, true]);
});

test('what a page has in bold is called so on the screen', async () => {
  for (const language of ['en', 'de', 'es'] as const) {
    const names = new Set([...readTexts(language).values()].flatMap(wordsOf));
    for (const { key, text } of await loadHelpIndex(language))
      for (const [, name] of text.matchAll(/\*\*([^*]+)\*\*/g))
        expect([language, key, names.has(name ?? '') || name]).toEqual([language, key, true]);
  }
});

const wordsOf = (texts: object): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : wordsOf(text)));

test('links between pages lead to pages', async () => {
  for (const language of ['en', 'de', 'es'] as const)
    for (const { text } of await loadHelpIndex(language))
      for (const [, key] of text.matchAll(/\]\(#([\w-]+)\)/g)) expect(hasHelp(key)).toBe(true);
});

test('a screen without a page offers the others, and a link in a page leads on', async () => {
  const user = userEvent.setup();
  const handleClose = vi.fn();
  await showScreen(<HelpPanel onClose={handleClose} />);
  expect(await screen.findByText(/There is no page for this screen yet/)).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'First steps' }));
  await user.click(await screen.findByRole('link', { name: 'your profile' }));
  expect(await screen.findByRole('heading', { name: 'Profile' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'All pages' }));
  expect(await screen.findByRole('button', { name: 'Devices' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Close the documentation' }));
  expect(handleClose).toHaveBeenCalled();
});
