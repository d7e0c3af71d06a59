import { cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { act } from 'react';
import { useTranslation } from 'react-i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let drawn = 0;

function Text({ of }: { of: string }) {
  const { t } = useTranslation();
  drawn += 1;
  return <p>{t(of as 'actions.save')}</p>;
}

/** The app's texts as of a new visit. */
async function newVisit() {
  vi.resetModules();
  if (i18next.isInitialized) i18next.removeResourceBundle('en', 'translation');
  const { loadFirstTexts, loadMoreTexts, startTranslation } = await import('./i18n.ts');
  await startTranslation();
  return { loadFirstTexts, loadMoreTexts };
}

beforeEach(() => {
  drawn = 0;
});

afterEach(cleanup);

test('a text that is shown before it came is drawn again once it has', async () => {
  const { loadFirstTexts, loadMoreTexts } = await newVisit();
  await loadFirstTexts();
  render(<Text of="tunnels.title" />);
  expect(screen.getByText('tunnels.title')).toBeTruthy();
  await act(loadMoreTexts);
  expect(screen.queryByText('tunnels.title')).toBeNull();
});

function Title() {
  const { t } = useTranslation();
  return <h1>{t('tunnels.title' as 'actions.save', { defaultValue: '' })}</h1>;
}

test('a name that shows nothing before it came shows once it has', async () => {
  const { loadFirstTexts, loadMoreTexts } = await newVisit();
  await loadFirstTexts();
  render(<Title />);
  expect(screen.getByRole('heading').textContent).toBe('');
  await act(loadMoreTexts);
  expect(screen.getByRole('heading').textContent).not.toBe('');
});

test('texts that nobody waited for draw nothing again', async () => {
  const { loadFirstTexts, loadMoreTexts } = await newVisit();
  await loadFirstTexts();
  render(<Text of="devices.title" />);
  expect(screen.getByText('Devices')).toBeTruthy();
  const before = drawn;
  await act(loadMoreTexts);
  expect(drawn).toBe(before);
});
