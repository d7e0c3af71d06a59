/** An exception as ClickHouse words it: `Code: 62. DB::Exception: text (SYNTAX_ERROR)`. */
export class EngineError extends Error {
  readonly code: number;
  readonly type: string;

  constructor(code: number, type: string, text: string) {
    super(text);
    this.code = code;
    this.type = type;
  }

  /** The body with which a server answers. */
  get wording(): string {
    return `Code: ${this.code}. DB::Exception: ${this.message} (${this.type})`;
  }
}

/** `read` answers rows and changes nothing; `insert` brings its data along; `kill` ends another statement. */
export type StatementKind = 'read' | 'insert' | 'kill' | 'write';

export interface Statement {
  sql: string;
  kind: StatementKind;
  /** First word, in capitals. */
  verb: string;
  /** The format that the statement itself names. */
  format: string | null;
}

const READS = new Set(['SELECT', 'WITH', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS', 'FROM', 'VALUES']);

/**
 * One statement with its `{name:Type}` placeholders replaced by escaped literals.
 *
 * Throws `EngineError` for several statements in one text, for files named in the statement and for a placeholder
 * without a value. Whatever follows the format of an INSERT is its data and is left as it is.
 */
export function prepareStatement(text: string, params: ReadonlyMap<string, string> = new Map()): Statement {
  const scan: Scan = { out: [], words: [], ended: false };
  let at = 0;
  while (at < text.length) at = scanNext(text, at, params, scan);
  const verb = scan.words[0]?.word ?? '';
  if (verb === '') throw new EngineError(62, 'SYNTAX_ERROR', 'Syntax error: the query is empty.');
  const format = scan.words.findLastIndex(({ word }) => word === 'FORMAT');
  return {
    sql: scan.out.join(''),
    kind: kindOf(verb),
    verb,
    format: format >= 0 ? (scan.words[format + 1]?.text ?? null) : null,
  };
}

interface Scan {
  out: string[];
  /** Words outside of literals, quoted names and comments. */
  words: { word: string; text: string }[];
  /** A semicolon was met. */
  ended: boolean;
}

function kindOf(verb: string): StatementKind {
  if (READS.has(verb)) return 'read';
  if (verb === 'INSERT') return 'insert';
  return verb === 'KILL' ? 'kill' : 'write';
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const PLACEHOLDER = /\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*:\s*([A-Za-z][A-Za-z0-9_(),'"./ =+-]*?)\s*\}/y;
const HEREDOC = /\$[A-Za-z0-9_]*\$/y;

/** Takes the next piece of the text and gives the place after it. */
function scanNext(text: string, at: number, params: ReadonlyMap<string, string>, scan: Scan): number {
  const char = text[at] as string;
  const end = skipped(text, at, char);
  if (end !== null) {
    if (scan.ended && (char === "'" || char === '"' || char === '`')) throw severalStatements();
    scan.out.push(text.slice(at, end));
    return end;
  }
  if (char === ';') {
    scan.ended = true;
    return at + 1;
  }
  if (scan.ended && !/\s/.test(char)) throw severalStatements();
  if (char === '{') {
    const placeholder = matchAt(PLACEHOLDER, text, at);
    if (placeholder) {
      scan.out.push(literal(placeholder[1] as string, placeholder[2] as string, params));
      return at + placeholder[0].length;
    }
  }
  const word = matchAt(WORD, text, at)?.[0];
  if (word === undefined) {
    scan.out.push(char);
    return at + 1;
  }
  const capitals = word.toUpperCase();
  const previous = scan.words.at(-1);
  scan.words.push({ word: capitals, text: word });
  scan.out.push(word);
  if (capitals === 'OUTFILE' || capitals === 'INFILE') {
    throw new EngineError(481, 'ACCESS_DENIED', 'Files cannot be read or written by a query.');
  }
  if (previous?.word === 'FORMAT' && scan.words[0]?.word === 'INSERT') {
    scan.out.push(text.slice(at + word.length));
    return text.length;
  }
  return at + word.length;
}

const severalStatements = () => new EngineError(62, 'SYNTAX_ERROR', 'Multi-statements are not allowed.');

/** End of the literal, quoted name or comment that begins here; null where none does. */
function skipped(text: string, at: number, char: string): number | null {
  if (char === "'" || char === '"' || char === '`') return quotedEnd(text, at, char);
  const next = text[at + 1];
  if ((char === '-' && next === '-') || (char === '#' && (next === ' ' || next === '!'))) {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end + 1;
  }
  if (char === '/' && next === '*') {
    const end = text.indexOf('*/', at + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (char === '$') {
    const tag = matchAt(HEREDOC, text, at)?.[0];
    const end = tag === undefined ? -1 : text.indexOf(tag, at + tag.length);
    if (tag !== undefined && end >= 0) return end + tag.length;
  }
  return null;
}

function quotedEnd(text: string, at: number, quote: string): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) {
      if (text[i + 1] !== quote) return i + 1;
      i++;
    }
  }
  return text.length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Value of a placeholder as a literal of its type; values arrive as ClickHouse's escaped text. */
function literal(name: string, type: string, params: ReadonlyMap<string, string>): string {
  const value = params.get(name);
  if (value === undefined) {
    throw new EngineError(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set.`);
  }
  if (type === 'Identifier') return quoteName(unescapeText(value));
  // Values inside arrays, tuples and maps are quoted, and keep their escapes for the cast to read.
  const composite = /^(Array|Tuple|Map|Nested)\b/.test(type);
  if (!composite && value === '\\N') return `_CAST(NULL, ${quoteText(type)})`;
  return `_CAST(${quoteText(composite ? value : unescapeText(value))}, ${quoteText(type)})`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  b: '\b',
  f: '\f',
  0: '\0',
};

const unescapeText = (text: string): string =>
  text.replace(/\\(.)/gs, (_whole, char: string) => ESCAPES[char] ?? char);

/** A text as a literal of ClickHouse's SQL. */
export const quoteText = (text: string): string =>
  `'${text.replace(/[\\']/g, '\\$&').replace(/\0/g, '\\0')}'`;

/** A name as a quoted identifier of ClickHouse's SQL. */
export const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;
