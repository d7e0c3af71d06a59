import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Files of libraries that only re-export others. */
const COLLECTION =
  /node_modules\/@(?:mantine\/(?:core|hooks|notifications)|tabler\/icons-react)\/.*\/(?:index|tabler-icons-react)\.mjs$/;
const NAMED = /(?:import|export)\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;
const COLLECTED = /^@(?:mantine\/(?:core|hooks|notifications)|tabler\/icons-react)$/;

/** The entries of what every signed-in user needs, one stage after the other. */
const STAGES = {
  start: ['boot.ts', 'main.tsx'],
  shell: ['features.ts', 'features/shell/shell-frame.tsx', 'locales/collect.ts'],
} as const;

/**
 * The entries of what first screens need on top: a dashboard until its first figure shows, the list of devices all, and the bar
 * above either of them what it loads beside it.
 */
const SCREENS = {
  board: [
    'features/boards/board-page.tsx',
    'features/boards/board-stage.tsx',
    'features/boards/widgets/number/number-view.tsx',
  ],
  list: [
    'features/devices/devices-page.tsx',
    'features/plants/plants-band.tsx',
    'features/incidents/incidents-strip.tsx',
  ],
  bar: [
    'features/search/global-search.tsx',
    'features/announcements/announcement-bell.tsx',
    'features/long-actions/activity.tsx',
  ],
} as const;

const stageOf = new Map<string, string>();

/** Whether the module is first needed at this stage, or by this screen alone; `screens`: by several of them. */
export const isNeededAt = (stage: string, id: string): boolean => stageOf.get(id) === stage;

/** Finds the modules that the first screens need, for the grouping of files. */
export function firstModules(): Plugin {
  return {
    name: 'albedo-first-modules',
    apply: 'build',
    buildEnd() {
      stageOf.clear();
      const ids = [...this.getModuleIds()];
      const importsOf = (id: string): readonly string[] => {
        const { importedIds = [], code } = this.getModuleInfo(id) ?? {};
        const collections = importedIds.filter((imported) => COLLECTION.test(imported));
        if (collections.length === 0 || COLLECTION.test(id)) return importedIds;
        const names = namesIn(code ?? '', COLLECTED);
        return [
          ...importedIds.filter((imported) => !COLLECTION.test(imported)),
          ...collections.flatMap((collection) =>
            modulesOf(collection, this.getModuleInfo(collection)?.code ?? '', names),
          ),
        ];
      };
      /** What these entries need that no stage before them does. */
      const neededBy = (entries: readonly string[]): Set<string> => {
        const needed = new Set<string>();
        const waiting = entries.map((name) => ids.find((id) => id.endsWith(`apps/web/src/${name}`)));
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
          if (!stageOf.has(id) && !needed.has(id)) {
            needed.add(id);
            waiting.push(...importsOf(id));
          }
        return needed;
      };
      for (const [stage, entries] of Object.entries(STAGES))
        for (const id of neededBy(entries)) stageOf.set(id, stage);
      const screens = Object.entries(SCREENS).map(([name, entries]) => ({
        name,
        modules: neededBy(entries),
      }));
      for (const { name, modules } of screens)
        for (const id of modules) {
          stageOf.set(id, stageOf.has(id) ? 'screens' : name);
        }
    },
  };
}

/** The names that the code imports from modules whose name matches `from`. */
function namesIn(code: string, from: RegExp): Set<string> {
  const names = [...code.matchAll(NAMED)]
    .filter(([, , source = '']) => from.test(source))
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim().split(/\s/)[0] ?? '');
  return new Set(names);
}

/** The modules that a collection re-exports these names from. */
function modulesOf(collection: string, code: string, names: ReadonlySet<string>): string[] {
  return [...code.matchAll(NAMED)]
    .filter(([, list = '']) =>
      list.split(',').some((name) => names.has(name.trim().split(/\s/).at(-1) ?? '')),
    )
    .map(([, , source = '']) => join(dirname(collection), source));
}
