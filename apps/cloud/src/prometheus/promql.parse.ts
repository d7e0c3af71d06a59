import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { durationMs } from './promql.durations.ts';
import { PromqlFault } from './promql.fault.ts';

export const MATCH_OPERATORS = ['=', '!=', '=~', '!~'] as const;
export interface Matcher {
  label: string;
  operator: (typeof MATCH_OPERATORS)[number];
  value: string;
}

/** How the series of two sides find each other. */
export interface Matching {
  on: string[] | null;
  ignoring: string[];
  /** The side on which several series may meet one of the other. */
  many: 'left' | 'right' | null;
  include: string[];
}

/** When something is evaluated: not at each step, but at an instant (epoch ms), or at an end of the whole query. */
export type PinnedAt = number | 'start' | 'end';

interface Shifted {
  offsetMs: number;
  /** Null for each step. */
  at: PinnedAt | null;
}

export interface Selector extends Shifted {
  kind: 'selector';
  matchers: Matcher[];
  /** Null for the newest value alone. */
  rangeMs: number | null;
}

/** An expression at several instants of a range, as if its values had been measured. */
export interface Subquery extends Shifted {
  kind: 'subquery';
  of: Expr;
  rangeMs: number;
  /** Null where the query leaves it open. */
  stepMs: number | null;
}

export type Expr =
  | Selector
  | Subquery
  | { kind: 'number'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'negate'; of: Expr }
  | { kind: 'call'; name: string; args: Expr[] }
  | {
      kind: 'aggregate';
      name: string;
      by: string[] | null;
      without: string[] | null;
      parameter: Expr | null;
      of: Expr;
    }
  | { kind: 'binary'; operator: string; isBool: boolean; matching: Matching; left: Expr; right: Expr };

const QUERY_LENGTH = 10_000;
const DEPTH = 50;
/** The furthest instant that a date has. */
const LATEST_MS = 8.64e15;

/** Reads a query. Throws `PromqlFault` with the character where it goes wrong. */
export function parsePromql(text: string): Expr {
  if (text.trim() === '') throw new PromqlFault('parse error: no expression found in input');
  if (text.length > QUERY_LENGTH)
    throw new PromqlFault(`parse error: the query has more than ${QUERY_LENGTH} characters`);
  const modifiers = modifiersIn(text);
  // Without them, because the grammar has them bind like operators: `a - b offset 1d` would shift `a - b`.
  const plain = modifiers.reduce(
    (left, { from, to }) => left.slice(0, from) + ' '.repeat(to - from) + left.slice(to),
    text,
  );
  const top = children(treeOf(plain).topNode)[0];
  if (!top) throw new PromqlFault('parse error: no expression found in input');
  const read = new Reader(text, modifiers).read(top, 0);
  const loose = modifiers.find(({ isUsed }) => !isUsed);
  if (!loose) return read;
  throw new PromqlFault(
    `1:${loose.from + 1}: parse error: ${loose.kind} modifier must follow a selector or a subquery`,
  );
}

/** The tree of the official grammar. Throws `PromqlFault`. */
function treeOf(text: string): Tree {
  const tree = parser.parse(text);
  let errorAt = -1;
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError && errorAt < 0) errorAt = from;
    },
  });
  if (errorAt < 0) return tree;
  const rest = text.slice(errorAt, errorAt + 20);
  throw new PromqlFault(
    `1:${errorAt + 1}: parse error: unexpected ${rest === '' ? 'end of input' : JSON.stringify(rest)}`,
  );
}

/** `offset 1d` or `@ 5`, and what it stands behind. */
interface Modifier {
  kind: 'offset' | '@';
  from: number;
  to: number;
  value: SyntaxNode;
  /** Where the part ends that it belongs to. */
  behind: number;
  isUsed: boolean;
}

function modifiersIn(text: string): Modifier[] {
  const found: Modifier[] = [];
  treeOf(text).iterate({
    enter: ({ name, node }) => {
      if (name !== 'OffsetExpr' && name !== 'StepInvariantExpr') return;
      const [of, sign, value] = children(node);
      if (!of || !sign || !value) return;
      let last = of;
      while ((last.name === 'OffsetExpr' || last.name === 'StepInvariantExpr') && last.firstChild)
        last = last.firstChild;
      const kind = name === 'OffsetExpr' ? 'offset' : '@';
      found.push({ kind, from: sign.from, to: node.to, value, behind: last.to, isUsed: false });
    },
  });
  return found;
}

/** As `parsePromql`, for what must be one selector, such as `match[]`. */
export function parseSelector(text: string): Selector {
  const read = parsePromql(text);
  if (read.kind !== 'selector' || read.rangeMs !== null)
    throw new PromqlFault(`parse error: ${JSON.stringify(text.slice(0, 100))} is not a series selector`);
  return read;
}

const children = (node: SyntaxNode): SyntaxNode[] => {
  const all: SyntaxNode[] = [];
  for (let one = node.firstChild; one; one = one.nextSibling) all.push(one);
  return all.filter(({ name }) => name !== 'LineComment');
};

const OPERATORS: Readonly<Record<string, string>> = {
  Add: '+',
  Sub: '-',
  Mul: '*',
  Div: '/',
  Mod: '%',
  Pow: '^',
  Eql: '==',
  EqlSingle: '==',
  Neq: '!=',
  Gtr: '>',
  Gte: '>=',
  Lss: '<',
  Lte: '<=',
  And: 'and',
  Or: 'or',
  Unless: 'unless',
};

/** From the tree of the official grammar to what is evaluated here. */
class Reader {
  readonly #text: string;
  readonly #modifiers: readonly Modifier[];

  constructor(text: string, modifiers: readonly Modifier[]) {
    this.#text = text;
    this.#modifiers = modifiers;
  }

  read(node: SyntaxNode, depth: number): Expr {
    if (depth > DEPTH) throw new PromqlFault(`parse error: the query is nested deeper than ${DEPTH} levels`);
    const parts = children(node);
    const next = (one: SyntaxNode | undefined) => {
      if (!one) throw this.#refused(node);
      return this.read(one, depth + 1);
    };
    switch (node.name) {
      case 'NumberDurationLiteral':
        return { kind: 'number', value: numberOf(this.#of(node)) };
      case 'StringLiteral':
        return { kind: 'string', value: unquoted(this.#of(node)) };
      case 'ParenExpr':
        return next(parts[0]);
      case 'UnaryExpr': {
        const of = next(parts[1]);
        return this.#of(parts[0]) === '-' ? { kind: 'negate', of } : of;
      }
      case 'VectorSelector':
        return this.#modified(node, {
          kind: 'selector',
          matchers: this.#matchers(parts),
          offsetMs: 0,
          at: null,
          rangeMs: null,
        });
      case 'MatrixSelector':
        return this.#modified(node, this.#ranged(next(parts[0]), parts[1]));
      case 'SubqueryExpr':
        return this.#modified(node, this.#subquery(next(parts[0]), parts));
      case 'FunctionCall':
        return {
          kind: 'call',
          name: this.#of(parts[0]),
          args: this.#args(parts).map((one) => this.read(one, depth + 1)),
        };
      case 'AggregateExpr':
        return this.#aggregate(parts, depth);
      case 'BinaryExpr':
        return this.#binary(parts, depth);
      default:
        throw this.#refused(node);
    }
  }

  #of(node: SyntaxNode | undefined): string {
    return node ? this.#text.slice(node.from, node.to) : '';
  }

  #refused(node: SyntaxNode): PromqlFault {
    return new PromqlFault(`1:${node.from + 1}: ${node.name} is not supported here`);
  }

  #args(parts: SyntaxNode[]): SyntaxNode[] {
    const body = parts.find(({ name }) => name === 'FunctionCallBody');
    return body ? children(body) : [];
  }

  #matchers(parts: SyntaxNode[]): Matcher[] {
    const matchers: Matcher[] = [];
    for (const part of parts) {
      if (part.name === 'Identifier')
        matchers.push({ label: '__name__', operator: '=', value: this.#of(part) });
      if (part.name === 'LabelMatchers') matchers.push(...children(part).map((one) => this.#matcher(one)));
    }
    if (matchers.every(({ operator, value }) => value === '' && operator.startsWith('=')))
      throw new PromqlFault(
        'parse error: vector selector must contain at least one matcher that is not empty',
      );
    return matchers;
  }

  #matcher(node: SyntaxNode): Matcher {
    const [label, operator, value] = children(node);
    if (node.name === 'QuotedLabelName')
      return { label: '__name__', operator: '=', value: unquoted(this.#of(node)) };
    const text = this.#of(label);
    return {
      label: label?.name === 'QuotedLabelName' ? unquoted(text) : text,
      operator: this.#of(operator) as Matcher['operator'],
      value: unquoted(this.#of(value)),
    };
  }

  #ranged(of: Expr, length: SyntaxNode | undefined): Selector {
    const rangeMs = this.#duration(length);
    if (of.kind !== 'selector' || rangeMs <= 0)
      throw new PromqlFault('parse error: duration must be greater than 0');
    return { ...of, rangeMs };
  }

  #subquery(of: Expr, parts: SyntaxNode[]): Subquery {
    const [range, step] = parts
      .filter(({ name }) => name === 'DurationExpr')
      .map((one) => this.#duration(one));
    if (range === undefined || range <= 0 || (step !== undefined && step <= 0))
      throw new PromqlFault('parse error: duration must be greater than 0');
    if (of.kind === 'subquery' || (of.kind === 'selector' && of.rangeMs !== null))
      throw new PromqlFault('parse error: subquery is only allowed on instant vector, got matrix instead');
    return { kind: 'subquery', of, rangeMs: range, stepMs: step ?? null, offsetMs: 0, at: null };
  }

  #modified(node: SyntaxNode, plain: Selector | Subquery): Selector | Subquery {
    let of = plain;
    for (const modifier of this.#modifiers) {
      if (modifier.behind !== node.to) continue;
      modifier.isUsed = true;
      of = modifier.kind === 'offset' ? this.#offset(of, modifier.value) : this.#pinned(of, modifier.value);
    }
    return of;
  }

  #offset(of: Selector | Subquery, by: SyntaxNode): Selector | Subquery {
    if (of.offsetMs !== 0) throw new PromqlFault('parse error: offset may not be set multiple times');
    return { ...of, offsetMs: this.#duration(by) };
  }

  #pinned(of: Selector | Subquery, when: SyntaxNode): Selector | Subquery {
    if (of.at !== null) throw new PromqlFault('parse error: @ <timestamp> may not be set multiple times');
    const text = this.#of(when).replaceAll(/\s/g, '');
    const end = /^(start|end)(?:\(\))?$/.exec(text)?.[1];
    if (end) return { ...of, at: end as 'start' | 'end' };
    const at = Math.round(numberOf(text) * 1000);
    if (Math.abs(at) <= LATEST_MS) return { ...of, at };
    throw new PromqlFault(`parse error: timestamp out of bounds for @ modifier: ${text}`);
  }

  #duration(node: SyntaxNode | undefined): number {
    const text = this.#of(node).replaceAll(/\s/g, '');
    const isBehind = text.startsWith('-');
    const ms = numberOf(isBehind ? text.slice(1) : text) * 1000;
    if (!Number.isFinite(ms)) throw new PromqlFault(`parse error: ${JSON.stringify(text)} is not a duration`);
    return Math.round(isBehind ? -ms : ms);
  }

  #aggregate(parts: SyntaxNode[], depth: number): Expr {
    const modifier = parts.find(({ name }) => name === 'AggregateModifier');
    const [way, labels] = modifier ? children(modifier) : [];
    const args = this.#args(parts).map((one) => this.read(one, depth + 1));
    const of = args.at(-1);
    if (!of || args.length > 2)
      throw new PromqlFault('parse error: wrong number of arguments of aggregation');
    const names = labels ? this.#labels(labels) : [];
    return {
      kind: 'aggregate',
      name: this.#of(parts[0]).toLowerCase(),
      by: way?.name === 'By' ? names : null,
      without: way?.name === 'Without' ? names : null,
      parameter: args.length === 2 ? (args[0] as Expr) : null,
      of,
    };
  }

  #labels(node: SyntaxNode): string[] {
    return children(node).map((one) =>
      one.name === 'QuotedLabelName' ? unquoted(this.#of(one)) : this.#of(one),
    );
  }

  #binary(parts: SyntaxNode[], depth: number): Expr {
    const [first, sign] = parts;
    const last = parts.at(-1);
    const operator = OPERATORS[sign?.name ?? ''];
    if (!first || !last || operator === undefined)
      throw new PromqlFault(`parse error: operator ${this.#of(sign)} is not supported`);
    const clause = parts.find(({ name }) => name === 'MatchingModifierClause');
    return {
      kind: 'binary',
      operator,
      isBool: parts.some(({ name }) => name === 'BoolModifier'),
      matching: this.#matching(clause),
      left: this.read(first, depth + 1),
      right: this.read(last, depth + 1),
    };
  }

  #matching(clause: SyntaxNode | undefined): Matching {
    const matching: Matching = { on: null, ignoring: [], many: null, include: [] };
    let of = '';
    for (const part of clause ? children(clause) : []) {
      if (part.name === 'GroupLeft') matching.many = 'left';
      if (part.name === 'GroupRight') matching.many = 'right';
      if (part.name !== 'GroupingLabels') of = part.name;
      else if (of === 'On') matching.on = this.#labels(part);
      else if (of === 'Ignoring') matching.ignoring = this.#labels(part);
      else matching.include = this.#labels(part);
    }
    return matching;
  }
}

function numberOf(text: string): number {
  const seconds = durationMs(text);
  if (seconds !== null) return seconds / 1000;
  if (/^[+-]?inf$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  const value = Number(text.replaceAll('_', ''));
  if (Number.isNaN(value)) throw new PromqlFault(`parse error: ${JSON.stringify(text)} is not a number`);
  return value;
}

/** What stands between double or single quotes, with its escapes, or between backticks as it is. */
function unquoted(text: string): string {
  const quote = text[0];
  const inner = text.slice(1, -1);
  if (quote === '`') return inner;
  return inner.replaceAll(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gis,
    (_whole, x?: string, u?: string, c = '') =>
      x !== undefined || u !== undefined
        ? String.fromCharCode(Number.parseInt(x ?? (u as string), 16))
        : (ESCAPES[c as string] ?? c),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };
