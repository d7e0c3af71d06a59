import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorWords, merged } from './collect.ts';

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
  for (const feature of featuresWithTexts()) {
    const name = feature.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (texts.has(name)) throw new Error(`The texts of ${name} stand in two places.`);
    const { errors, ...own } = readFeature(feature, language);
    texts.set(name, own);
  }
  return texts;
}

/** The words for failures, which English does without. */
export const readFailures = (language: string): ErrorWords =>
  merged([
    read(join(here, language, 'errors.json')) as ErrorWords,
    ...featuresWithTexts().map((feature) => readFailuresOf(feature, language)),
  ]);

/** The words for failures that stand with one feature. */
export const readFailuresOf = (feature: string, language: string): ErrorWords =>
  featuresWithTexts().includes(feature) ? (readFeature(feature, language).errors ?? {}) : {};

export const featuresWithTexts = (): string[] =>
  readdirSync(features).filter((feature) =>
    readdirSync(join(features, feature)).includes(`${feature}.texts.json`),
  );

function readFeature(feature: string, language: string): { errors?: ErrorWords } {
  const all = read(join(features, feature, `${feature}.texts.json`)) as Record<string, object>;
  return all[language] ?? {};
}

const read = (path: string): object => JSON.parse(readFileSync(path, 'utf8'));
