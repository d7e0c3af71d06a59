import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** What a browser may have to load, script and style, before somebody can sign in. Bytes after gzip. */
const LIMIT_BYTES = 200_000;

/** Adds up what the sign-in page loads, prints it, and fails the build above the limit. */
export function signInWeight(): Plugin {
  return {
    name: 'albedo-sign-in-weight',
    apply: 'build',
    writeBundle(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') this.error('The build has no index.html.');
      const wanted = new Set(String(page.source).match(/assets\/[\w.~-]+\.(js|css)/g));
      const sizes = [...wanted].map((name) => gzipped(bundle[name]));
      const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
      console.log(`\nsign-in page: ${inKb(total)} script and style after gzip in ${wanted.size} files`);
      if (total > LIMIT_BYTES) this.error(`The sign-in page weighs more than ${inKb(LIMIT_BYTES)}.`);
    },
  };
}

function gzipped(output: Rolldown.OutputBundle[string] | undefined): number {
  if (!output) return 0;
  return gzipSync(output.type === 'chunk' ? output.code : output.source, { level: 9 }).length;
}

const inKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
