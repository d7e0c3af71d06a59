import { InputError } from '../command-line/input-error.ts';

/** What a raw number is multiplied by, and what is added then. */
export interface Scale {
  factor: number;
  offset: number;
}

/** `0.1`, or a factor with an offset after it: `1+10`, `0.1-40`. Empty and a lone full stop change nothing. */
export function parseScale(text: string): Scale {
  if (text === '' || text === '.') return { factor: 1, offset: 0 };
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([+-](?:\d+\.?\d*|\.\d+))?$/i.exec(
    text.replaceAll(' ', ''),
  );
  if (!match) throw new InputError(`scale: "${text}" is no factor, nor a factor and an offset such as 1+10`);
  return { factor: Number(match[1]), offset: Number(match[2] ?? 0) };
}

export const isPlainScale = ({ factor, offset }: Scale): boolean => factor === 1 && offset === 0;

export function scaled(raw: number, { factor, offset }: Scale): number {
  if (factor === 1 && offset === 0) return raw;
  const value = raw * factor + offset;
  // A product such as 231 times 0.1 carries digits beyond the measurement.
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

/** `0:Off;1:On`. */
export function parseLookup(text: string): Map<string, string> {
  return new Map(
    text.split(';').map((entry): [string, string] => {
      const match = /^\s*([^:=]+?)\s*[:=]\s*(.+?)\s*$/.exec(entry);
      if (!match) throw new InputError(`lookup table: "${entry.trim()}" is not of the form 1:Running`);
      return [match[1] ?? '', match[2] ?? ''];
    }),
  );
}
