import type { Plugin } from 'vite';
import { inKb, need, weigh } from './weigh.ts';

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
      const named = String(page.source).matchAll(/(?:src|href)="\/(assets\/[\w.~-]+\.(?:js|css))"/g);
      const first = new Set([...named].map(([, file]) => file as string));
      const all = new Set(first);
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('src/main.tsx'))
          need(chunk, bundle, all);
      const [firstBytes, bytes] = [weigh(first, bundle), weigh(all, bundle)];
      console.log(
        `\nsign-in page: ${inKb(firstBytes)} script and style after gzip for the card, ${inKb(bytes)} in ${all.size} files to sign in`,
      );
      if (firstBytes > FIRST_LIMIT_BYTES) this.error(`The card weighs more than ${inKb(FIRST_LIMIT_BYTES)}.`);
      if (bytes > LIMIT_BYTES) this.error(`The sign-in page weighs more than ${inKb(LIMIT_BYTES)}.`);
    },
  };
}
