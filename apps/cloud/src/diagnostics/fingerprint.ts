import { createHash } from 'node:crypto';

/** Files of the app on the way to the failure that count, innermost first. */
const FRAMES = 5;
/** Lines of a stack that are looked at. */
const LINES = 40;

/** A file with line and column, as all browsers write it; what stands before the name is cut off. */
const FILE = /([\w.~$-]{1,100}?)(?:-[\w-]{8})?\.(?:m?js|tsx?)(?:\?[^\s:()]*)?:\d{1,9}(?::\d{1,9})?/;
/** What runs, in Chrome (`at name (`) and in Firefox and Safari (`name@`). */
const FUNCTION =
  /^\s*(?:at\s+(?:async\s+|new\s+)*([\w.$<>]{1,100})\s+(?:\[as [\w$]{1,100}\]\s+)?\(|([\w.$<>/]{1,100})@)/;
/** Shorter names are those of a build, and another one has others. */
const SHORTEST_NAME = 4;

/**
 * Where in the code it happens: files without what a build puts into their names, and functions whose names outlive a
 * build, without lines and columns. Empty where the stack names no file.
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
  const found = FUNCTION.exec(line);
  const last = (found?.[1] ?? found?.[2])?.split(/[./]/).at(-1) ?? '';
  return /^[\w$]+$/.test(last) && last.length >= SHORTEST_NAME ? last : null;
}

/** What it says, without what is another one each time. */
export const kindOfMessage = (message: string): string =>
  message
    .replace(/\b[a-z][\w+.-]{1,20}:\/\/[^\s"'<>)]{1,500}/gi, '<url>')
    .replace(/-[\w-]{8}(?=\.m?js\b|\.css\b)/g, '')
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<id>')
    .replace(/-?\b\d+(?:[.,:]\d+)*/g, '<n>')
    // Variables that a build has renamed.
    .replace(/(^|[^\w$.])[\w$]{1,2}(?:\.[\w$]{1,2})*(?= is (?:not|undefined|null)\b)/g, '$1<x>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

/** The same for the same failure at the same place, in whichever build. */
export const fingerprintOf = (message: string, place: string): string =>
  createHash('sha256')
    .update(`${kindOfMessage(message)}\n${place}`)
    .digest('hex')
    .slice(0, 32);
