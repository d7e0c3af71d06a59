import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Lists all sheets, in Mantine's own order. */
const SHEETS = join(import.meta.dirname, 'src/app/mantine.css');
/** Sheets that belong to no component. */
const BASE = ['baseline', 'default-css-variables', 'global'];
const SHEET = /styles\/([\w-]+)\.layer\.css"/g;
/** The names of the classes of a component: whoever has them needs its styles. */
const CLASSES = /@mantine\/core\/esm\/.*\/([A-Z]\w+)\.module\.mjs$/;
const LIBRARY = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'));

/**
 * In a build each component of Mantine brings its own styles, after those of the components that it is made of, so a screen
 * loads only the styles it uses. The build fails if `mantine.css` does not name the sheet of a component: its place in the
 * order is then unknown.
 */
export function componentStyles(): Plugin {
  const order = [...readFileSync(SHEETS, 'utf8').matchAll(SHEET)].map(([, name = '']) => name);
  const missing = new Set<string>();

  return {
    name: 'albedo-component-styles',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /app\/mantine\.css$/ },
      handler: () => BASE.map((name) => `@import "@mantine/core/styles/${name}.layer.css";`).join('\n'),
    },
    transform: {
      filter: { id: CLASSES },
      handler(code, id) {
        const name = CLASSES.exec(id)?.[1] ?? '';
        if (!order.includes(name)) missing.add(id);
        const sheets = order.filter((sheet) => sheet === name || isPartOf(sheet, name, order));
        const imports = sheets.map((sheet) => `import '${join(LIBRARY, `styles/${sheet}.layer.css`)}';`);
        return { code: `${imports.join('')}${code}`, map: null };
      },
    },
    writeBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          for (const id of file.moduleIds)
            if (missing.has(id)) this.error(`mantine.css lacks the styles of ${CLASSES.exec(id)?.[1]}.`);
    },
  };
}

const parts = new Map<string, ReadonlySet<string>>();

/** Whether the component `name` uses `part`, directly or through another one, and overrides its styles. */
function isPartOf(part: string, name: string, order: readonly string[]): boolean {
  if (order.indexOf(part) >= order.indexOf(name)) return false;
  const own = partsOf(name);
  return (
    own.has(part) ||
    [...own].some((between) => order.indexOf(between) < order.indexOf(name) && isPartOf(part, between, order))
  );
}

/** The components that the files of a component import. */
function partsOf(name: string): ReadonlySet<string> {
  const cached = parts.get(name);
  if (cached) return cached;
  const own = new Set<string>();
  for (const file of globSync(join(LIBRARY, `esm/components/${name}/**/*.mjs`)))
    for (const [, part = ''] of readFileSync(file, 'utf8').matchAll(/from ".*\/([A-Z]\w+)\.mjs"/g))
      own.add(part);
  own.delete(name);
  parts.set(name, own);
  return own;
}
