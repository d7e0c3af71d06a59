import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const SHEETS = join(import.meta.dirname, 'src/app/mantine.css');
/** The names of the classes of a component: whoever has them needs its styles. */
const CLASSES = /@mantine\/core\/esm\/.*\/([A-Z]\w+)\.module\.mjs$/;

/** Fails the build where a component of Mantine is used whose styles `mantine.css` does not have: it would look bare. */
export function componentStyles(): Plugin {
  return {
    name: 'albedo-component-styles',
    apply: 'build',
    writeBundle(_, bundle) {
      const sheets = readFileSync(SHEETS, 'utf8');
      const used = Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        .map((id) => CLASSES.exec(id)?.[1])
        .filter((name) => name !== undefined);
      const missing = [...new Set(used)].filter((name) => !sheets.includes(`/${name}.layer.css`));
      if (missing.length > 0) this.error(`mantine.css lacks the styles of ${missing.join(', ')}.`);
    },
  };
}
