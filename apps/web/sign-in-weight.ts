import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** What a browser may have to load, script and style, before somebody can sign in. Bytes after gzip. */
const LIMIT_BYTES = 200_000;
const LOADED_LATER = ['src/locales/en/public.json', 'src/routes/login.tsx'];

/** Adds up what the sign-in page loads, prints it, and fails the build above the limit. */
export function signInWeight(): Plugin {
  return {
    name: 'albedo-sign-in-weight',
    apply: 'build',
    writeBundle(_, bundle) {
      const wanted = new Set<string>();
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        const isLoadedLater = LOADED_LATER.some((module) => output.facadeModuleId?.endsWith(module));
        if (output.isEntry || isLoadedLater) collect(output.fileName, bundle, wanted);
      }
      const sizes = [...wanted].map((name) => [name, gzipped(bundle[name])] as const);
      const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
      const biggest = sizes
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 5)
        .map(([name, bytes]) => `${name.replace('assets/', '')} ${inKb(bytes)}`);
      console.log(`\nsign-in page: ${inKb(total)} script and style after gzip (${biggest.join(', ')}, …)`);
      if (total > LIMIT_BYTES) this.error(`The sign-in page weighs more than ${inKb(LIMIT_BYTES)}.`);
    },
  };
}

type Bundle = Rolldown.OutputBundle;

function collect(name: string, bundle: Bundle, into: Set<string>): void {
  const output = bundle[name];
  if (!output || into.has(name)) return;
  into.add(name);
  if (output.type !== 'chunk') return;
  for (const style of output.viteMetadata?.importedCss ?? []) into.add(style);
  for (const next of output.imports) collect(next, bundle, into);
}

function gzipped(output: Bundle[string] | undefined): number {
  if (!output) return 0;
  return gzipSync(output.type === 'chunk' ? output.code : output.source, { level: 9 }).length;
}

const inKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
