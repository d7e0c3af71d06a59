import { expect, test } from 'vitest';
import { knownPaths } from './known-paths.ts';

type Resolve = ReturnType<typeof knownPaths>;
type Context = Parameters<Resolve>[1];

const FOLDER = 'file:///srv/albedo/apps/cloud/src/devices';

/** What Node answers, and what it was asked. */
function asked() {
  const questions: string[] = [];
  const resolve = knownPaths();
  const ask = (specifier: string, parentURL: string | undefined, conditions = ['node', 'import']) =>
    resolve(specifier, { parentURL, conditions, importAttributes: {} } as Context, (name) => {
      questions.push(String(name));
      const url = name.startsWith('.') ? new URL(name, parentURL).href : `file:///srv/${name}/index.js`;
      return { url, format: name.endsWith('.ts') ? 'module-typescript' : 'module' };
    });
  return { ask, questions };
}

test('the files of a folder are of the kind of the first one', () => {
  const { ask, questions } = asked();
  const first = ask('./a.ts', `${FOLDER}/main.ts`);
  expect(first).toMatchObject({ url: `${FOLDER}/a.ts`, format: 'module-typescript' });
  expect(ask('../devices/b.ts', 'file:///srv/albedo/apps/cloud/src/kpis/x.ts')).toEqual({
    url: `${FOLDER}/b.ts`,
    format: 'module-typescript',
    shortCircuit: true,
  });
  expect(questions).toEqual(['./a.ts']);
  // Another folder or another extension may be of another kind.
  ask('./b.js', `${FOLDER}/main.ts`);
  ask('./deeper/a.ts', `${FOLDER}/main.ts`);
  expect(questions).toEqual(['./a.ts', './b.js', './deeper/a.ts']);
});

test('a package is looked for once in each workspace', () => {
  const { ask, questions } = asked();
  const found = ask('drizzle-orm', `${FOLDER}/a.ts`);
  expect(ask('drizzle-orm', 'file:///srv/albedo/apps/cloud/src/kpis/x.ts')).toMatchObject(found);
  expect(questions).toEqual(['drizzle-orm']);
  ask('drizzle-orm', 'file:///srv/albedo/packages/postgres/src/x.ts');
  expect(questions).toHaveLength(2);
});

test('Node itself finds what packages import, what is required and what begins a program', () => {
  const { ask, questions } = asked();
  const inside = 'file:///srv/albedo/node_modules/one/index.js';
  for (const round of [1, 2]) {
    ask('two', inside);
    ask('drizzle-orm', `${FOLDER}/a.ts`, ['node', 'require']);
    ask('./data.json', `${FOLDER}/a.ts`);
    ask('/srv/albedo/main.ts', undefined);
    expect(questions).toHaveLength(4 * round);
  }
});
