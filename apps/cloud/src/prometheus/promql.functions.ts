import { RE2JS } from 're2js';
import { PromqlFault } from './promql.fault.ts';
import { type Labels, type Line, linesOf, nameless, numbersOf, textOf, type Value } from './promql.values.ts';

/** Of each value alone. */
const EACH: Readonly<Record<string, (value: number, ...rest: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  sqrt: Math.sqrt,
  exp: Math.exp,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sgn: Math.sign,
  round: (value, to = 1) => Math.floor(value / to + 0.5) * to,
  clamp: (value, least = -Infinity, most = Infinity) => Math.max(least, Math.min(most, value)),
  clamp_min: (value, least = -Infinity) => Math.max(least, value),
  clamp_max: (value, most = Infinity) => Math.min(most, value),
};
const NUMBERS_OF: Readonly<Record<string, readonly [least: number, most: number]>> = {
  round: [0, 1],
  clamp: [2, 2],
  clamp_min: [1, 1],
  clamp_max: [1, 1],
};

/** What a function makes of its arguments; `times` are those of the steps, epoch ms. Throws `PromqlFault`. */
export function callFunction(name: string, args: readonly Value[], times: readonly number[]): Value {
  const each = Object.hasOwn(EACH, name) ? EACH[name] : undefined;
  if (each) return mapped(name, each, args);
  switch (name) {
    case 'time':
      demandCount(name, args, 0, 0);
      return { kind: 'scalar', values: times.map((ms) => ms / 1000) };
    case 'pi':
      demandCount(name, args, 0, 0);
      return { kind: 'scalar', values: times.map(() => Math.PI) };
    case 'vector': {
      demandCount(name, args, 1, 1);
      return { kind: 'vector', lines: [{ labels: {}, values: numbersOf(args[0] as Value, name) }] };
    }
    case 'scalar': {
      demandCount(name, args, 1, 1);
      const lines = linesOf(args[0] as Value, name);
      return { kind: 'scalar', values: times.map((_ms, i) => onlyOne(lines, i)) };
    }
    case 'absent': {
      demandCount(name, args, 1, 1);
      const lines = linesOf(args[0] as Value, name);
      const values = times.map((_ms, i) =>
        lines.some((line) => line.values[i] !== undefined) ? undefined : 1,
      );
      return { kind: 'vector', lines: values.includes(1) ? [{ labels: {}, values }] : [] };
    }
    case 'sort':
    case 'sort_desc':
      demandCount(name, args, 1, 1);
      return { kind: 'vector', lines: sorted(linesOf(args[0] as Value, name), name === 'sort' ? 1 : -1) };
    case 'label_replace':
      demandCount(name, args, 5, 5);
      return labelReplace(args as [Value, Value, Value, Value, Value]);
    default:
      throw new PromqlFault(`parse error: unknown function with name "${name}"`);
  }
}

function demandCount(name: string, args: readonly Value[], least: number, most: number): void {
  if (args.length < least || args.length > most)
    throw new PromqlFault(
      `parse error: expected ${least === most ? least : `${least} to ${most}`} argument(s) in call to "${name}", got ${args.length}`,
    );
}

function mapped(
  name: string,
  each: (value: number, ...rest: number[]) => number,
  args: readonly Value[],
): Value {
  const [least, most] = NUMBERS_OF[name] ?? [0, 0];
  demandCount(name, args, least + 1, most + 1);
  const [first, ...rest] = args;
  const numbers = rest.map((one) => numbersOf(one, name));
  const lines = linesOf(first as Value, name).map(({ labels, values }) => ({
    labels: nameless(labels),
    values: values.map((value, i) =>
      value === undefined ? undefined : each(value, ...numbers.map((all) => all[i] as number)),
    ),
  }));
  return { kind: 'vector', lines };
}

function onlyOne(lines: readonly Line[], step: number): number {
  const present = lines.map(({ values }) => values[step]).filter((one) => one !== undefined);
  return present.length === 1 ? (present[0] as number) : Number.NaN;
}

const sorted = (lines: Line[], sign: 1 | -1): Line[] =>
  [...lines].sort((a, b) => sign * ((a.values.at(-1) ?? 0) - (b.values.at(-1) ?? 0)));

function labelReplace([vector, to, replacement, from, pattern]: [Value, Value, Value, Value, Value]): Value {
  const name = 'label_replace';
  const [label, put, source] = [textOf(to, name), textOf(replacement, name), textOf(from, name)];
  const regex = wholePattern(textOf(pattern, name));
  const lines = linesOf(vector, name).map(({ labels, values }) => {
    const found = regex.matcher(labels[source] ?? '');
    if (!found.matches()) return { labels, values };
    const text = put.replaceAll(/\$(?:(\d+)|\{(\d+)\})/g, (_whole, plain?: string, braced?: string) => {
      const group = Number(plain ?? braced);
      return group <= found.groupCount() ? (found.group(group) ?? '') : '';
    });
    const changed: Record<string, string> = Object.assign(Object.create(null), labels);
    delete changed[label];
    if (text !== '') changed[label] = text;
    return { labels: changed as Labels, values };
  });
  return { kind: 'vector', lines };
}

/** A regular expression of linear time that has to cover all of a text. Throws `PromqlFault`. */
export function wholePattern(text: string): RE2JS {
  try {
    return RE2JS.compile(`^(?:${text})$`, RE2JS.DOTALL);
  } catch (error) {
    throw new PromqlFault(`parse error: ${(error as Error).message}`);
  }
}
