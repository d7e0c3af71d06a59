import type { Plugin, Rolldown } from 'vite';
import { need } from './weigh.ts';

/** Screens that open first, by how their address begins, with the modules that they are drawn by. */
const SCREENS = {
  '/devices': ['devices/devices-page.tsx', 'plants/plants-band.tsx', 'incidents/incidents-strip.tsx'],
  '/entities/': ['boards/board-page.tsx', 'boards/board-stage.tsx', 'boards/widgets/number/number-view.tsx'],
} as const;
/** What comes before any screen anyhow. */
const BEFORE = ['src/main.tsx', 'src/features.ts', 'src/features/shell/shell-frame.tsx'];
/** Where index.html takes the list, for `first-files.ts`. */
const PLACE = '<script type="application/json" id="screen-files"></script>';

/** Tells the page which files its screen is in: the browser fetches them beside those of the app, a journey to the server earlier. */
export function screenFiles(): Plugin {
  return {
    name: 'albedo-screen-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html;
        const isThere = filesOf(BEFORE, bundle);
        const files = Object.entries(SCREENS).map(([path, modules]) => {
          const all = filesOf(
            modules.map((name) => `src/features/${name}`),
            bundle,
          );
          return [path, [...all].filter((name) => !isThere.has(name)).map((name) => `/${name}`)];
        });
        if (!html.includes(PLACE)) throw new Error('index.html has no place for the files of screens.');
        const list = JSON.stringify(Object.fromEntries(files)).replaceAll('<', '\\u003c');
        return html.replace(PLACE, PLACE.replace('><', `>${list}<`));
      },
    },
  };
}

function filesOf(modules: readonly string[], bundle: Rolldown.OutputBundle): Set<string> {
  const files = new Set<string>();
  for (const name of modules)
    for (const file of Object.values(bundle))
      if (file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`apps/web/${name}`)))
        need(file, bundle, files);
  return files;
}
