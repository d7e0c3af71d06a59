import type { Plugin } from 'vite';
import { inKb, need, weigh } from './weigh.ts';

/**
 * How much script and style a browser may load until a dashboard in English shows its first figure. Bytes after gzip.
 */
const LIMIT_BYTES = 300_000;
/** What is asked for on the way there, in files of its own or with others. */
const PARTS = [
  'boot.ts',
  'main.tsx',
  'features.ts',
  'locales/en.first.ts',
  'features/shell/shell-frame.tsx',
  'features/boards/board-page.tsx',
  'features/boards/board-stage.tsx',
  'features/boards/widgets/number/number-view.tsx',
];

/** Adds up what the viewing of a dashboard loads, prints it, and fails the build above the limit. */
export function viewingWeight(): Plugin {
  return {
    name: 'albedo-viewing-weight',
    apply: 'build',
    writeBundle(_, bundle) {
      const files = new Set<string>();
      for (const part of PARTS) {
        const chunk = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`apps/web/src/${part}`)),
        );
        if (chunk?.type !== 'chunk') this.error(`No file of the build has ${part}.`);
        need(chunk, bundle, files);
      }
      const bytes = weigh(files, bundle);
      console.log(`viewing a dashboard: ${inKb(bytes)} script and style after gzip in ${files.size} files`);
      if (bytes > LIMIT_BYTES) this.error(`The viewing route weighs more than ${inKb(LIMIT_BYTES)}.`);
    },
  };
}
