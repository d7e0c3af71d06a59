import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';

/** Adds the chunk to `found`, with what it cannot do without. */
export function need(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found: Set<string>): void {
  if (found.has(chunk.fileName)) return;
  found.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const name of chunk.imports) {
    const wanted = bundle[name];
    if (wanted?.type === 'chunk') need(wanted, bundle, found);
  }
}

/** What files of the build weigh together, bytes after gzip. */
export const weigh = (names: Iterable<string>, bundle: Rolldown.OutputBundle): number =>
  [...names].reduce((sum, name) => sum + gzipped(bundle[name]), 0);

function gzipped(output: Rolldown.OutputBundle[string] | undefined): number {
  if (!output) return 0;
  return gzipSync(output.type === 'chunk' ? output.code : output.source, { level: 9 }).length;
}

export const inKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
