import type { RequestIssue } from '@albedo/contract/http/issues';

/** The readable part of a failed answer; one of our own server has further fields. */
export interface Refusal {
  message: string;
  error: string | null;
  facts: Readonly<Record<string, string>>;
  issues: readonly RequestIssue[];
}

/** Longer texts are pages, lists or traces, not sentences. */
const LONGEST_SENTENCE = 300;

/**
 * Reads the body of a failed answer, from our server or from another server or proxy in its place: `error` as an object with a
 * message or as a text, JSON sent as plain text, or a plain sentence. Null if nothing in it is readable: pages, lists, traces,
 * records.
 */
export function readRefusal(data: unknown): Refusal | null {
  if (typeof data === 'string') return readText(data);
  if (!isRecord(data)) return null;
  const { message, error, facts, issues } = data;
  const name = typeof error === 'string' ? error : null;
  // An answer with a name is ours, however long its text is.
  if (isSentence(message) || (name !== null && typeof message === 'string' && message !== ''))
    return {
      message,
      error: name,
      facts: isRecord(facts) ? (facts as Record<string, string>) : {},
      issues: Array.isArray(issues) ? issues : [],
    };
  if (isRecord(error)) return readRefusal(error);
  // A single word is the name of a failure, not a sentence.
  return isSentence(error) && error.includes(' ') ? plain(error) : null;
}

function readText(text: string): Refusal | null {
  if (!/^\s*[[{"]/.test(text)) return isSentence(text) ? plain(text.trim()) : null;
  try {
    return readRefusal(JSON.parse(text));
  } catch {
    return null;
  }
}

const plain = (message: string): Refusal => ({ message, error: null, facts: {}, issues: [] });

const isRecord = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** A single line without markup: proxies answer with whole pages. */
const isSentence = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.trim() !== '' &&
  text.length <= LONGEST_SENTENCE &&
  !/[\r\n]/.test(text.trim()) &&
  !/^\s*<|<\/?(?:!doctype|html|head|body|title|h1|p|br|div)\b/i.test(text);
