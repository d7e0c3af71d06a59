import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCES = join(import.meta.dirname, 'src');
const CONTRACT = join(import.meta.dirname, '../../packages/contract/src');
const VIEWS = 'features/boards/widgets';
/** What the first screens load, the shell, dashboards and the list of devices; what these import counts with them. */
const FIRST_FILES = [
  'main.tsx',
  'features.ts',
  'app/faults.ts',
  'features/shell/shell-frame.tsx',
  'features/announcements/announcement-bell.tsx',
  'features/long-actions/activity.tsx',
  'features/search/global-search.tsx',
  'features/incidents/incidents-strip.tsx',
  'features/plants/plants-band.tsx',
  'features/devices/devices-page.tsx',
  'features/boards/board-page.tsx',
  ...readdirSync(join(SOURCES, VIEWS), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-view.tsx'))
    .map((file) => join(VIEWS, file)),
];

const STATIC_IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)[^;'"]*?from\s*'([^']+)'/g;
const WHOLE_KEY = /(['"])([\w-]+(?:\.[\w -]+)+)\1/g;
const COMPOSED_KEY = /`([\w-]+\.[^`\s]*?\$\{[^`]*)`/g;
/** Forms of a text by number or context stand under the key with this behind it. */
const FORM = /_\w+$/;

let isFirst: ((key: string) => boolean) | null = null;

/** Whether one of the first screens may show the text of this key, as their code names it. */
export function isFirstKey(key: string): boolean {
  isFirst ??= keysIn(firstCode());
  return isFirst(key);
}

/** The code of the first screens, with everything that it imports at once. */
function firstCode(): string[] {
  const code = new Map<string, string>();
  const waiting = FIRST_FILES.map((file) => join(SOURCES, file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (code.has(file) || !/\.tsx?$/.test(file)) continue;
    const text = readFileSync(file, 'utf8');
    code.set(file, text);
    for (const [, name = ''] of text.matchAll(STATIC_IMPORT))
      if (name.startsWith('.')) waiting.push(join(dirname(file), name));
      else if (name.startsWith('@albedo/contract/'))
        waiting.push(join(CONTRACT, `${name.slice('@albedo/contract/'.length)}.ts`));
  }
  return [...code.values()];
}

/** The text as a pattern of itself. */
const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function keysIn(code: readonly string[]): (key: string) => boolean {
  const whole = new Set(code.flatMap((text) => [...text.matchAll(WHOLE_KEY)].map(([, , key]) => key)));
  const composed = code
    .flatMap((text) => [...text.matchAll(COMPOSED_KEY)].map(([, key = '']) => key))
    .map(
      (key) =>
        new RegExp(
          `^${key
            .split(/\$\{[^}]*\}/)
            .map(literally)
            .join('.+')}$`,
        ),
    );
  const isNamed = (key: string) => whole.has(key) || composed.some((form) => form.test(key));
  return (key) => isNamed(key) || isNamed(key.replace(FORM, ''));
}
