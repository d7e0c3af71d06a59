import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const features = join(here, '../features');

/**
 * The texts of one language by the first part of their keys, as the files have them: those beside this one, and those
 * that stand with their feature. The words for failures are left out, which are called by the catalogue.
 */
export function readTexts(language: string): Map<string, object> {
  const texts = new Map<string, object>();
  for (const file of readdirSync(join(here, language)))
    if (file !== 'errors.json') texts.set(file.replace('.json', ''), read(join(here, language, file)));
  for (const feature of readdirSync(features)) {
    const file = `${feature}.texts.json`;
    if (!readdirSync(join(features, feature)).includes(file)) continue;
    const name = feature.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const all = read(join(features, feature, file)) as Record<string, object>;
    if (texts.has(name)) throw new Error(`The texts of ${name} stand in two places.`);
    texts.set(name, all[language] ?? {});
  }
  return texts;
}

/** The words for failures, which English does without. */
export const readFailures = (language: string): object => read(join(here, language, 'errors.json'));

const read = (path: string): object => JSON.parse(readFileSync(path, 'utf8'));
