import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups, withoutCircles } from './chunk-groups.ts';
import { componentStyles } from './component-styles.ts';
import { fetchedTogether } from './fetched-together.ts';
import { firstModules } from './first-modules.ts';
import { laterFiles } from './later-files.ts';
import { madeDefaults } from './made-defaults.ts';
import { oneLanguage } from './one-language.ts';
import { plainSentences } from './plain-sentences.ts';
import { precompress } from './precompress.ts';
import { screenFiles } from './screen-files.ts';
import { signInWeight } from './sign-in-weight.ts';
import { viewingWeight } from './viewing-weight.ts';
import { withoutJsonSchema } from './without-json-schema.ts';
import { withoutSchemas } from './without-schemas.ts';

/** Where `npm run dev` finds the cloud. */
const CLOUD = 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [
    withoutSchemas(),
    withoutJsonSchema(),
    firstModules(),
    fetchedTogether(),
    madeDefaults(),
    oneLanguage(),
    react(),
    laterFiles(),
    signInWeight(),
    viewingWeight(),
    screenFiles(),
    componentStyles(),
    withoutCircles(),
    plainSentences(),
    precompress(),
  ],
  build: {
    target: 'es2024',
    rolldownOptions: {
      // A schema that nothing uses is left out.
      treeshake: { manualPureFunctions: ['z'] },
      // The app is an entry of its own: index.html loads what paints the first card, and that loads the app.
      input: ['index.html', 'src/main.tsx'].map((file) => join(import.meta.dirname, file)),
      output: {
        codeSplitting: { groups: chunkGroups },
        // A file may be of many screens: one of their names is enough.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        assetFileNames: ({ names }) => {
          const [, stem, ending] = /^(.*)\.(\w+)$/.exec(names[0] ?? '') ?? [];
          return stem ? `assets/${stem.split('~')[0]}-[hash].${ending}` : 'assets/[name]-[hash].[ext]';
        },
      },
    },
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    strictPort: false,
    proxy: {
      '/api': CLOUD,
      '/docs': CLOUD,
      '/socket.io-client': { target: CLOUD, ws: true },
    },
  },
});
