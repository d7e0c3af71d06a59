import { type ErrorWords, merged } from './collect.ts';
import general from './de/errors.json' with { type: 'json' };

const ofFeatures = import.meta.glob<ErrorWords>('../features/*/*.texts.json', {
  eager: true,
  import: 'default',
  query: '?errors=de',
});

/** What failures are called; in English the server says it itself. */
export const texts = { errors: merged([general, ...Object.values(ofFeatures)]) };
