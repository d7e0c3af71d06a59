import { basename } from 'node:path';
import { type TaskArguments, taskArguments } from '@albedo/contract/plugins/plugins.schema';

/** How a plugin is handed a password. */
const SECRET = 'ALBEDO_PLUGIN_';
/** What the first word of a plugin's command means; `get` is the older name. */
const ACTIONS = { log: 'log', get: 'log', discover: 'discover' } as const;
const HEAD = '#!/bin/sh\n# The form of this task shows what follows as long as it is one command.\n';

/** The script of a task: one command, of which nothing but the words are the caller's. */
export function scriptOf(
  command: string,
  { action, mandatory, optional, flags, secrets }: TaskArguments,
): string {
  const words = [
    ...Object.entries(secrets).map(([option, value]) => `${SECRET}${option.toUpperCase()}=${quoted(value)}`),
    ...['exec', quoted(command), action, ...mandatory.map(quoted)],
    ...Object.entries(optional).map(([option, value]) => quoted(`--${option}=${value}`)),
    ...flags.map((flag) => quoted(`--${flag}`)),
  ];
  return `${HEAD}${words.join(' ')}\n`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** What the one command of a script is given. Null where it says more than that, in words that only a shell can read. */
export function readScript(text: string, binary: string): TaskArguments | null {
  const [line, ...more] = liveLines(isCommentedOut(text, binary) ? uncommented(text, binary) : text);
  const words = line === undefined || more.length > 0 ? null : wordsOf(line);
  if (!words) return null;
  const secrets: Record<string, string> = {};
  let at = 0;
  for (; ; at++) {
    const [, name, value = ''] = /^ALBEDO_PLUGIN_([A-Z0-9_]+)=(.*)$/.exec(words[at] ?? '') ?? [];
    if (name === undefined) break;
    secrets[name.toLowerCase()] = value;
  }
  if (words[at] === 'exec') at++;
  const [command = '', verb = '', ...rest] = words.slice(at);
  if (basename(command) !== binary || !Object.hasOwn(ACTIONS, verb)) return null;
  const action = ACTIONS[verb as keyof typeof ACTIONS];
  const found: TaskArguments = { action, mandatory: [], optional: {}, flags: [], secrets };
  for (const word of rest) {
    const [, option = '', value] = /^--([a-z][a-z0-9_]*)(?:=(.*))?$/.exec(word) ?? [];
    if (option === '' && word.startsWith('-')) return null;
    if (option === '') {
      // Behind an option without `=` it could be its value.
      if (found.flags.length > 0) return null;
      found.mandatory.push(word);
    } else if (value === undefined) found.flags.push(option);
    else found.optional[option] = value;
  }
  return taskArguments.safeParse(found).data ?? null;
}

/** Every command of it is a comment. */
export const isCommentedOut = (text: string, binary: string): boolean =>
  liveLines(text).length === 0 && uncommented(text, binary) !== text;

/** Comments that are commands of the plugin are commands again. */
export const uncommented = (text: string, binary: string): string =>
  text
    .split('\n')
    .map((line) => {
      const command = /^\s*#+\s?(.*)$/.exec(line)?.[1];
      return command !== undefined && !line.startsWith('#!') && runs(command, binary) ? command : line;
    })
    .join('\n');

/** Whether a text has a word that is the command of a plugin, with or without its folder. */
export const runs = (text: string, binary: string): boolean =>
  new RegExp(`(?:^|[\\s/"'#;&|(])${binary.replace(/\W/g, '\\$&')}(?=$|[\\s"';&|)<>])`, 'm').test(text);

const liveLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));

/** Words as a shell would split them; null where it would do more than that. */
function wordsOf(line: string): string[] | null {
  const words: string[] = [];
  const part = /\s+|'([^']*)'|"([^"$`\\]*)"|\\(')|([\w./:@%+=,-]+)/y;
  let word: string | null = null;
  while (part.lastIndex < line.length) {
    const found = part.exec(line);
    if (!found) return null;
    const [all, single, double, escaped, bare] = found;
    const text: string | undefined = single ?? double ?? escaped ?? bare;
    if (text !== undefined) word = (word ?? '') + text;
    else if (all && word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (word !== null) words.push(word);
  return words;
}
