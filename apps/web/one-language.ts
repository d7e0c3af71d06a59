import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { isFirstKey } from './first-keys.ts';
import { nameOf } from './src/locales/collect.ts';

const ONE_PART = /^(.*\.json)\?(first|rest|errors)=(\w+)$/;

/**
 * The texts of a feature stand in one file for all languages: `?first=de` is what the first screens show of it in German,
 * `?rest=de` all else without the words for failures, which are `?errors=de`.
 */
export function oneLanguage(): Plugin {
  return {
    name: 'albedo-one-language',
    enforce: 'pre',
    load: {
      filter: { id: ONE_PART },
      handler(id) {
        const [, file = '', part, language = ''] = ONE_PART.exec(id) ?? [];
        this.addWatchFile(file);
        const all = JSON.parse(readFileSync(file, 'utf8'));
        const { errors = {}, ...texts } = (file.endsWith('.texts.json') ? all[language] : all) ?? {};
        const wanted = part === 'errors' ? errors : partOf(texts, nameOf(file), part === 'first');
        return { code: JSON.stringify(wanted), moduleType: 'json' };
      },
    },
  };
}

/** Those texts that the first screens show, or the others. */
function partOf(texts: object, key: string, isFirst: boolean): object {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(texts)) {
    const inner = `${key}.${name}`;
    if (typeof value === 'string') {
      if (isFirstKey(inner) === isFirst) kept.push([name, value]);
      continue;
    }
    const some = partOf(value, inner, isFirst);
    if (Object.keys(some).length > 0) kept.push([name, some]);
  }
  return Object.fromEntries(kept);
}
