import { createRequire } from 'node:module';
import type { Grammar } from './grammar.ts';

const require = createRequire(import.meta.url);
let library: Grammar | undefined;

/** As `grammar.ts`, read with the first expression: it is 650 files, for which no start of a server waits. */
export function grammar(): Grammar {
  library ??= require('mathjs/number') as Grammar;
  return library;
}
