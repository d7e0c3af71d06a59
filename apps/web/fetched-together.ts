import type { Plugin, Rolldown } from 'vite';
import { need } from './weigh.ts';

/** What `boot.ts` imports of the app, one after the other. */
const ORDER = ['src/start/react.ts', 'src/start/mantine.ts', 'src/start/router.ts', 'src/main.tsx'];
/** Whoever is signed in sees this next. */
const NEXT = ['src/features.ts', 'src/features/shell/shell-frame.tsx'];

/**
 * Has the browser fetch all files of the first screens together with the first one; they still run one after the other. A
 * later import names only files that are not loaded by then: the names of all files would weigh more than the code around them.
 */
export function fetchedTogether(): Plugin {
  let files: Rolldown.OutputBundle = {};
  let all: string[] | null = null;

  const entryOf = (name: string): Rolldown.OutputChunk => {
    const chunks = Object.values(files).filter((file) => file.type === 'chunk');
    const found =
      chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(name)) ??
      chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(name)));
    if (!found) throw new Error(`No file of the build has ${name}.`);
    return found;
  };
  const needed = (): string[] => {
    const found = new Set<string>();
    for (const name of [...ORDER, ...NEXT]) need(entryOf(name), files, found);
    return [...found].filter((file) => !isOnlyStyles(files[file]));
  };

  /** The files that are loaded by the time this file runs. */
  const standsOn = new Map<string, Set<string>>();
  const before = (file: string): Set<string> => {
    const required = standsOn.get(file) ?? new Set<string>();
    const chunk = files[file];
    if (!standsOn.has(file) && chunk?.type === 'chunk') need(chunk, files, required);
    standsOn.set(file, required);
    return required;
  };

  return {
    name: 'albedo-fetched-together',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          resolveDependencies: (file, own, { hostId }) => {
            if (file !== entryOf(ORDER[0] as string).fileName)
              return own.filter((name) => !before(hostId).has(name));
            all ??= needed();
            return [...new Set([...own, ...all])];
          },
        },
      },
    }),
    generateBundle(_, bundle) {
      files = bundle;
      standsOn.clear();
    },
  };
}

/** Files of scripts that hold nothing but styles are left out of the build in the end. */
const isOnlyStyles = (file: Rolldown.OutputBundle[string] | undefined): boolean =>
  file?.type === 'chunk' && file.moduleIds.every((id) => /\.css(?:\?|$)/.test(id));
