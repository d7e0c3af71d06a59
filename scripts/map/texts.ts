/** The texts of app and server by key and by name, in all languages. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalog } from '@albedo/contract/failures/errors';
import { issueCatalog } from '@albedo/contract/failures/issues';
import { HOUSE, sourceOf } from './source.ts';

const LANGUAGES = ['en', 'de', 'es'] as const;
type Language = (typeof LANGUAGES)[number];

/** The first part of the keys in a file: `deviceGroups` of `device-groups.texts.json`; nothing for the public one. */
const firstKeyOf = (file: string): string[] => {
  const name = file
    .replace(/^.*\/|(\.texts)?\.json$/g, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return name === 'public' ? [] : [name];
};

const named = { ...errorCatalog, ...issueCatalog } as Readonly<Record<string, string | { text: string }>>;

/** A text without the names of its placeholders: `Timeout on {action}` as `Timeout on {}`. */
const unfilled = (text: string): string => text.replace(/\{+[^}]*\}+/g, '{}');

export class Texts {
  readonly #texts: Readonly<Record<Language, ReadonlyMap<string, string>>>;

  constructor(texts: Readonly<Record<Language, ReadonlyMap<string, string>>>) {
    this.#texts = texts;
  }

  static read(): Texts {
    const texts = {
      en: new Map<string, string>(),
      de: new Map<string, string>(),
      es: new Map<string, string>(),
    };
    for (const language of LANGUAGES)
      for (const file of globSync(`apps/web/src/locales/${language}/*.json`, { cwd: HOUSE }))
        add(texts[language], firstKeyOf(file), readJson(file));
    for (const file of globSync('apps/web/src/features/*/*.texts.json', { cwd: HOUSE })) {
      const all = readJson(file) as Record<Language, object>;
      for (const language of LANGUAGES) {
        add(texts[language], firstKeyOf(file), all[language]);
        // Texts of errors are looked up together, whichever feature has them.
        add(texts[language], ['errors'], (all[language] as { errors?: object }).errors ?? {});
      }
    }
    return new Texts(texts);
  }

  /** What is wrong with the place named for a text; null if the text is there, in other languages too. */
  faultOf(text: string, key: string): string | null {
    if (key.includes('/')) return this.#faultIn(key, text);
    const isNamed = key in named;
    const entry = named[key];
    const said = isNamed ? (typeof entry === 'string' ? entry : entry?.text) : this.#texts.en.get(key);
    if (said === undefined) return `${text}: there is no text ${key}.`;
    // A sentence may go on after the words of the specification.
    if (!unfilled(said).includes(unfilled(text))) return `${text}: ${key} says "${said}".`;
    const word = isNamed ? `errors.${key}` : key;
    const lacking = LANGUAGES.filter((language) => language !== 'en' && !this.#texts[language].has(word));
    return lacking.length === 0 ? null : `${text}: ${word} is not there in ${lacking.join(' and ')}.`;
  }

  #faultIn(file: string, text: string): string | null {
    const source = sourceOf(file);
    if (source === null) return `${text}: there is no ${file}.`;
    const parts = text.split(/\{[^}]*\}/).filter((part) => part.trim() !== '');
    return parts.every((part) => source.includes(part)) ? null : `${text}: ${file} does not say it.`;
  }
}

const readJson = (file: string): object => JSON.parse(readFileSync(join(HOUSE, file), 'utf8'));

/** Adds every text under its whole key. */
function add(texts: Map<string, string>, above: readonly string[], tree: object): void {
  for (const [name, value] of Object.entries(tree))
    if (typeof value === 'string') texts.set([...above, name].join('.'), value);
    else add(texts, [...above, name], value);
}
