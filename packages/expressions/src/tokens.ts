import { ExpressionFault, type FaultCode } from './faults.ts';

/** What an expression may ask of a reader. Evaluation walks each part once, so these bound its time as well. */
export const EXPRESSION_LIMITS = { characters: 2000, depth: 32, parts: 300 } as const;

export interface Token {
  kind: 'number' | 'name' | 'quoted' | 'operator' | 'bracket';
  text: string;
  at: number;
  end: number;
}

const TOKEN =
  /(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_°][\p{L}\p{N}_°²³]*)|(?<quoted>"[^"\\]*")|(?<operator>==|!=|<=|>=|[-+*/^<>=])|(?<bracket>[(),])/uy;

const WORD_OPERATORS = new Set(['and', 'or', 'not']);
/** Words that mean something to the parser; as names they would change what an expression says. */
const RESERVED = new Set([
  'mod',
  'to',
  'in',
  'xor',
  'true',
  'false',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'end',
]);

/** Cuts a text into its words, and refuses what is too long, too deep, or no word of the language. */
export function tokensOf(text: string): Token[] {
  if (text.trim() === '') throw new ExpressionFault('empty', { at: 0, end: text.length });
  if (text.length > EXPRESSION_LIMITS.characters)
    throw new ExpressionFault(
      'too_long',
      { at: EXPRESSION_LIMITS.characters, end: text.length },
      { most: EXPRESSION_LIMITS.characters },
    );
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const token = tokenAt(text, at);
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    if (depth > EXPRESSION_LIMITS.depth) throw faultOf('too_deep', token, { most: EXPRESSION_LIMITS.depth });
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function tokenAt(text: string, at: number): Token {
  TOKEN.lastIndex = at;
  const groups = TOKEN.exec(text)?.groups;
  const [kind, found] = Object.entries(groups ?? {}).find(([, word]) => word !== undefined) ?? [];
  if (kind === undefined || found === undefined) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    throw new ExpressionFault('character', { at, end: at + character.length }, { found: character });
  }
  const token: Token = { kind: kind as Token['kind'], text: found, at, end: at + found.length };
  if (found === '=') throw faultOf('assignment', token);
  if (kind === 'name' && RESERVED.has(found)) throw faultOf('reserved', token, { found });
  return kind === 'name' && WORD_OPERATORS.has(found) ? { ...token, kind: 'operator' } : token;
}

/** Whether an input may have this name: one word, and none that means something else. */
export function isName(text: string): boolean {
  try {
    const [token, ...rest] = tokensOf(text);
    return token?.kind === 'name' && rest.length === 0 && token.text === text;
  } catch {
    return false;
  }
}

function faultOf(code: FaultCode, token: Token, facts = {}): ExpressionFault {
  return new ExpressionFault(code, token, facts);
}
