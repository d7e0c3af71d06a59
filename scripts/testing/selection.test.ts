import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testsByPath, testsSince } from './selection.ts';

test('tests that read the tree or start programs of it are known', () => {
  const found = testsByPath();
  for (const file of [
    'apps/web/src/locales/used.test.ts',
    'apps/web/src/locales/locales.test.ts',
    'apps/cloud/src/main.test.ts',
    'packages/contract/src/contract.test.ts',
    'e2e/endurance.test.ts',
  ].filter((one) => existsSync(one)))
    expect(found).toContain(file);
  expect(found.some((file) => file.includes('node_modules'))).toBe(false);
  expect(found).not.toContain('packages/energy/src/photovoltaics.test.ts');
});

test('a commit that does not exist is refused', async () => {
  await expect(testsSince('no-such-commit')).rejects.toThrow('no-such-commit is no commit');
});
