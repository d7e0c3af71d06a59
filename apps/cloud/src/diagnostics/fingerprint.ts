import { createHash } from 'node:crypto';

/** How many frames of the stack count, innermost first. */
const FRAMES = 5;
/** How many lines of a stack are read. */
const LINES = 40;

/** A file with line and column, as all browsers write it, without its path. */
const FILE = /([\w.~$-]{1,100}?)(?:-[\w-]{8})?\.(?:m?js|tsx?)(?:\?[^\s:()]*)?:\d{1,9}(?::\d{1,9})?/;
/** The function, in Chrome (`at name (`) and in Firefox and Safari (`name@`). */
const FUNCTION =
  /^\s*(?:at\s+(?:async\s+|new\s+)*([\w.$<>]{1,100})\s+(?:\[as [\w$]{1,100}\]\s+)?\(|([\w.$<>/]{1,100})@)/;
/** Shorter names come from the minifier and differ from build to build. */
const SHORTEST_NAME = 4;

/**
 * Where in the code it happens: files without the hash of a build, and functions whose names survive minifying, without
 * lines and columns. Empty if the stack names no file.
 */
export function placeOf(stack: string): string {
  const frames: string[] = [];
  for (const line of stack.split('\n', LINES)) {
    const file = FILE.exec(line.slice(0, 600))?.[1];
    if (file === undefined) continue;
    const name = functionOf(line);
    const frame = name === null ? file : `${file}.${name}`;
    if (frames.at(-1) !== frame) frames.push(frame);
    if (frames.length === FRAMES) break;
  }
  return frames.join(' < ');
}

function functionOf(line: string): string | null {
  const match = FUNCTION.exec(line);
  const last = (match?.[1] ?? match?.[2])?.split(/[./]/).at(-1) ?? '';
  return /^[\w$]+$/.test(last) && last.length >= SHORTEST_NAME ? last : null;
}

/** The message without the parts that differ each time, such as ids and numbers. */
export const kindOfMessage = (message: string): string =>
  message
    .replace(/\b[a-z][\w+.-]{1,20}:\/\/[^\s"'<>)]{1,500}/gi, '<url>')
    .replace(/-[\w-]{8}(?=\.m?js\b|\.css\b)/g, '')
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<id>')
    .replace(/-?\b\d+(?:[.,:]\d+)*/g, '<n>')
    // Variables that the minifier renamed.
    .replace(/(^|[^\w$.])[\w$]{1,2}(?:\.[\w$]{1,2})*(?= is (?:not|undefined|null)\b)/g, '$1<x>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

/** The same for the same error at the same place, in every build. */
export const fingerprintOf = (message: string, place: string): string =>
  createHash('sha256')
    .update(`${kindOfMessage(message)}\n${place}`)
    .digest('hex')
    .slice(0, 32);
