import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** What a browser may have to load, script and style, before somebody is signed in. Bytes after gzip. */
const LIMIT_BYTES = 200_000;
/** And before the sign-in card is painted. */
const FIRST_LIMIT_BYTES = 20_000;

/** Adds up what the sign-in page loads, prints it, and fails the build above the limits. */
export function signInWeight(): Plugin {
  return {
    name: 'albedo-sign-in-weight',
    apply: 'build',
    writeBundle(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') this.error('The build has no index.html.');
      const first = new Set(String(page.source).match(/assets\/[\w.~-]+\.(js|css)/g));
      const all = new Set(first);
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('src/main.tsx'))
          need(chunk, bundle, all);
      const weigh = (names: Iterable<string>) =>
        [...names].reduce((sum, name) => sum + gzipped(bundle[name]), 0);
      const [firstBytes, bytes] = [weigh(first), weigh(all)];
      console.log(
        `\nsign-in page: ${inKb(firstBytes)} script and style after gzip for the card, ${inKb(bytes)} in ${all.size} files to sign in`,
      );
      if (firstBytes > FIRST_LIMIT_BYTES) this.error(`The card weighs more than ${inKb(FIRST_LIMIT_BYTES)}.`);
      if (bytes > LIMIT_BYTES) this.error(`The sign-in page weighs more than ${inKb(LIMIT_BYTES)}.`);
    },
  };
}

/** The chunk with what it cannot do without. */
export function need(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found: Set<string>): void {
  if (found.has(chunk.fileName)) return;
  found.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const name of chunk.imports) {
    const wanted = bundle[name];
    if (wanted?.type === 'chunk') need(wanted, bundle, found);
  }
}

export function gzipped(output: Rolldown.OutputBundle[string] | undefined): number {
  if (!output) return 0;
  return gzipSync(output.type === 'chunk' ? output.code : output.source, { level: 9 }).length;
}

export const inKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
