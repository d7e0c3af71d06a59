import { InputError } from '../command-line/input-error.ts';

interface Rule {
  pattern: RegExp;
  name: string;
}

/** Gives sources the names people use. The first rule that matches from the start of the source wins. */
export class SourceMap {
  readonly #rules: Rule[];

  constructor(rules: Rule[]) {
    this.#rules = rules;
  }

  /** The new name, with `\1` and so on replaced by what the groups matched; the source itself when no rule fits. */
  rename(source: string): string {
    for (const { pattern, name } of this.#rules) {
      const match = pattern.exec(source);
      if (match) return name.replace(/\\(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    }
    return source;
  }
}

/** Reads `regex,new name` lines; blank ones are skipped. Throws `InputError` naming file, line and fault. */
export function parseSourceMap(text: string, file: string): SourceMap {
  const rules: Rule[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const parts = line.split(',').map((part) => part.trim());
    const [expression = '', name = ''] = parts;
    const where = `source map ${file}, line ${index + 1}`;
    if (parts.length !== 2)
      throw new InputError(`${where}: a rule is "regex,new name" with exactly one comma`);
    if (expression === '' || name === '')
      throw new InputError(`${where}: neither side of the comma may be empty`);
    try {
      rules.push({ pattern: new RegExp(`^(?:${expression})`), name });
    } catch (error) {
      throw new InputError(`${where}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return new SourceMap(rules);
}
