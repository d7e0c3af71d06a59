import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const ONE_LANGUAGE = /^(.*\.texts\.json)\?language=(\w+)$/;

/** The texts of a feature stand in one file for all languages; `?language=de` is what that file has in German. */
export function oneLanguage(): Plugin {
  return {
    name: 'albedo-one-language',
    enforce: 'pre',
    load: {
      filter: { id: ONE_LANGUAGE },
      handler(id) {
        const [, file = '', language = ''] = ONE_LANGUAGE.exec(id) ?? [];
        this.addWatchFile(file);
        const texts = JSON.parse(readFileSync(file, 'utf8'))[language];
        return { code: JSON.stringify(texts), moduleType: 'json' };
      },
    },
  };
}
