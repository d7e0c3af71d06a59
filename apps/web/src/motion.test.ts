import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SHEETS = globSync('**/*.css', { cwd: import.meta.dirname }).map((name) => ({
  name,
  css: readFileSync(join(import.meta.dirname, name), 'utf8').replace(/\/\*.*?\*\//gs, ''),
}));
/** Properties that can be animated without laying out the page in every frame; colours and strokes are only repainted. */
const CHEAP =
  /^(?:transform|translate|rotate|scale|opacity|visibility|(?:[\w-]+-)?color|background|stroke(?:-dashoffset)?|fill|box-shadow|none)$/;
/** The longest single animation, ms. */
const LONGEST_MS = 200;

const msOf = (text: string): number[] =>
  [...text.matchAll(/(?<![\w.-])(\d*\.?\d+)(ms|s)\b/g)].map(
    ([, value, unit]) => Number(value) * (unit === 's' ? 1000 : 1),
  );

test('what moves is moved, turned or faded, and never laid out for each frame', () => {
  const costly = SHEETS.flatMap(({ name, css }) => [
    ...[...css.matchAll(/transition(?:-property)?:\s*([^;}]+)/g)]
      .flatMap(([, list = '']) => list.split(/,(?![^(]*\))/))
      .map((transition) => transition.trim().split(/\s+/)[0] ?? '')
      .filter((property) => !CHEAP.test(property))
      .map((property) => `${name}: transition of ${property}`),
    ...[...css.matchAll(/@keyframes\s+([\w-]+)\s*\{((?:[^{}]*\{[^{}]*\})*)/g)].flatMap(
      ([, frames, body = '']) =>
        [...body.matchAll(/([\w-]+)\s*:/g)]
          .map(([, property = '']) => property)
          .filter((property) => !CHEAP.test(property))
          .map((property) => `${name}: ${frames} moves ${property}`),
    ),
  ]);
  expect(costly).toEqual([]);
});

test('what moves once takes at most 200 ms', () => {
  const slow = SHEETS.flatMap(({ name, css }) =>
    [...css.matchAll(/(?:transition|animation)(?:-duration)?:\s*([^;}]+)/g)]
      .map(([whole, value = '']) => ({ whole, value }))
      .filter(({ value }) => !/infinite/.test(value))
      .filter(({ value }) =>
        value.split(/,(?![^(]*\))/).some((motion) => (msOf(motion)[0] ?? 0) > LONGEST_MS),
      )
      .map(({ whole }) => `${name}: ${whole}`),
  );
  expect(slow).toEqual([]);
});
