import type { FactoryFunctionMap, FunctionNode, MathNode, OperatorNode } from 'mathjs/number';
import { grammar } from '#grammar';
import { ExpressionFault, type FaultCode, type Place } from './faults.ts';
import type { Grammar } from './grammar.ts';
import { EXPRESSION_LIMITS, type Token, tokensOf } from './tokens.ts';

/** What each operator is called; nothing else of the parser's operators is in the language. */
const OPERATORS = {
  add: 'add',
  subtract: 'subtract',
  multiply: 'multiply',
  divide: 'divide',
  pow: 'power',
  unaryMinus: 'negate',
  unaryPlus: 'plus',
  equal: 'equal',
  unequal: 'unequal',
  smaller: 'less',
  smallerEq: 'at_most',
  larger: 'greater',
  largerEq: 'at_least',
  and: 'and',
  or: 'or',
  not: 'not',
} as const;

const FUNCTIONS = ['if', 'min', 'max', 'abs', 'round', 'sqrt', 'sum', 'avg', 'coalesce'] as const;

type Operator = (typeof OPERATORS)[keyof typeof OPERATORS];
type FunctionName = (typeof FUNCTIONS)[number];
export type Operation = Operator | FunctionName;

/** What was written; each part knows the operator, name or number that it is about. */
export type Written = Place &
  (
    | { kind: 'number'; value: number }
    | { kind: 'name'; name: string }
    | { kind: 'unit'; name: string }
    | { kind: 'call'; operation: Operation; args: Written[] }
  );

let ownParser: ((text: string) => MathNode) | undefined;

/** An instance of our own: names have letters of every script, and degrees, but no currency signs. */
function parser(): (text: string) => MathNode {
  if (ownParser) return ownParser;
  const { create, parseDependencies } = grammar();
  const { parse } = create(parseDependencies as FactoryFunctionMap, {});
  parse.isAlpha = (character) => /[\p{L}_°²³]/u.test(character);
  ownParser = parse;
  return parse;
}

/**
 * Reads an expression into the few kinds of parts that the language has. Nothing is evaluated. What the parser knows
 * beyond the language (assignments, functions of one's own, objects, indices, texts) is refused.
 *
 * Throws `ExpressionFault`.
 */
export function parseExpression(text: string): Written {
  const tokens = tokensOf(text);
  const node = parsed(text);
  let parts = 0;
  node.traverse(() => {
    parts += 1;
  });
  if (parts > EXPRESSION_LIMITS.parts)
    throw new ExpressionFault('too_large', { at: 0, end: text.length }, { most: EXPRESSION_LIMITS.parts });
  return new Reading(tokens.filter(({ kind }) => kind !== 'bracket')).read(node);
}

function parsed(text: string): MathNode {
  try {
    return parser()(text.replaceAll(/\s/g, ' '));
  } catch (error) {
    const at = Math.min((error as { char?: number }).char ?? 1, text.length + 1) - 1;
    const isEnd = text.slice(at).trim() === '';
    throw new ExpressionFault(isEnd ? 'ends_early' : 'syntax', { at, end: isEnd ? at : at + 1 });
  }
}

/** The parser's nodes have no places, but they come in the order of the words, so that each takes the next one. */
class Reading {
  readonly #kinds: Grammar = grammar();
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(node: MathNode): Written {
    const kinds = this.#kinds;
    if (kinds.isParenthesisNode(node)) return this.read(node.content);
    if (kinds.isSymbolNode(node)) return { ...this.#take(), kind: 'name', name: node.name };
    if (kinds.isConstantNode(node)) return this.#constant(node.value);
    if (kinds.isOperatorNode(node)) return this.#operator(node as OperatorNode<never, never>);
    if (kinds.isFunctionNode(node)) return this.#call(node);
    throw this.#refused(kinds.isRelationalNode(node) ? 'chain' : 'construct');
  }

  #constant(value: unknown): Written {
    const place = this.#take();
    if (typeof value === 'string') return { ...place, kind: 'name', name: value };
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new ExpressionFault('number', place);
    return { ...place, kind: 'number', value };
  }

  #operator(node: OperatorNode<never, never>): Written {
    if (node.implicit) return this.#quantity(node.args);
    const operation = OPERATORS[node.fn as keyof typeof OPERATORS];
    if (operation === undefined) throw this.#refused('construct');
    const [left, right] = node.args as MathNode[];
    if (left === undefined) throw this.#refused('construct');
    if (right === undefined) {
      const place = this.#take();
      return { ...place, kind: 'call', operation, args: [this.read(left)] };
    }
    const first = this.read(left);
    const place = this.#take();
    return { ...place, kind: 'call', operation, args: [first, this.read(right)] };
  }

  /** `5 kW` and `3 m^2`: a number and, without a sign between them, a unit. */
  #quantity(args: MathNode[]): Written {
    const [left, right] = args.map((arg) => this.read(arg));
    if (left === undefined || right === undefined || !isNumber(left))
      throw new ExpressionFault('missing_operator', right ?? { at: 0, end: 0 });
    return { at: left.at, end: left.end, kind: 'call', operation: 'multiply', args: [left, unitOf(right)] };
  }

  #call(node: FunctionNode): Written {
    if (!this.#kinds.isSymbolNode(node.fn)) throw this.#refused('construct');
    const place = this.#take();
    const name = FUNCTIONS.find((known) => known === node.fn.name);
    if (name === undefined) throw new ExpressionFault('unknown_function', place, { name: node.fn.name });
    return { ...place, kind: 'call', operation: name, args: node.args.map((arg) => this.read(arg)) };
  }

  #take(): Place {
    const { at, end } = this.#tokens[this.#next] ?? this.#end();
    this.#next += 1;
    return { at, end };
  }

  /** Points at the first word of what is refused. */
  #refused(code: FaultCode): ExpressionFault {
    return new ExpressionFault(code, this.#tokens[this.#next] ?? this.#end());
  }

  #end(): Place {
    const end = this.#tokens.at(-1)?.end ?? 0;
    return { at: end, end };
  }
}

const isNumber = (part: Written): boolean =>
  part.kind === 'number' ||
  (part.kind === 'call' && part.operation === 'negate' && isNumber(part.args[0] as Written));

/** What follows a number directly is a unit, whatever inputs there are. */
function unitOf(part: Written): Written {
  if (part.kind === 'name') return { ...part, kind: 'unit' };
  const [base, exponent] = part.kind === 'call' && part.operation === 'power' ? part.args : [];
  if (part.kind === 'call' && base?.kind === 'name' && exponent?.kind === 'number')
    return { ...part, args: [{ ...base, kind: 'unit' }, exponent] };
  throw new ExpressionFault('missing_operator', part);
}
