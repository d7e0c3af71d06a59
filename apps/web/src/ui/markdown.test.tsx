import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showScreen } from '../app/test-screen.tsx';
import { Markdown } from './markdown.tsx';

async function drawn(text: string): Promise<HTMLElement> {
  const { container } = await showScreen(<Markdown>{`${text}\n\nend of it`}</Markdown>);
  await screen.findByText('end of it');
  return container;
}

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:alert(1))',
  '[x](//evil.example)',
])('the link of %s leads nowhere', async (text) => {
  expect((await drawn(text)).querySelector('a')).toBeNull();
});

test('HTML of the author stands there as text', async () => {
  const container = await drawn('<img src=x onerror=alert(1)> <b>bold</b>\n\n<script>alert(1)</script>');
  expect(container.querySelector('img, script, b')).toBeNull();
  expect(container.textContent).toContain('<script>alert(1)</script>');
});

test('a picture of this server is shown, one from elsewhere is a link to it', async () => {
  const container = await drawn('![ours](/api/v1/x.png) ![theirs](https://example.org/y.png)');
  expect([...container.querySelectorAll('img')].map((one) => one.getAttribute('src'))).toEqual([
    '/api/v1/x.png',
  ]);
  const link = container.querySelector('a');
  expect(link?.getAttribute('href')).toBe('https://example.org/y.png');
  expect(link?.getAttribute('rel')).toContain('noopener');
});

test('headings begin below those of the page', async () => {
  const container = await drawn('# One\n\n## Two');
  expect([...container.querySelectorAll('h1,h2,h3,h4')].map(({ tagName }) => tagName)).toEqual(['H3', 'H4']);
});
