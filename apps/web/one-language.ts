import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const ONE_PART = /^(.*\.texts\.json)\?(language|errors)=(\w+)$/;

/**
 * The texts of a feature stand in one file for all languages: `?language=de` is what that file has in German, without
 * the words for failures, which are `?errors=de`.
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
        const { errors = {}, ...texts } = JSON.parse(readFileSync(file, 'utf8'))[language] ?? {};
        return { code: JSON.stringify(part === 'errors' ? errors : texts), moduleType: 'json' };
      },
    },
  };
}
