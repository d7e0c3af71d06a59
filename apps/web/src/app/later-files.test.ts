// @vitest-environment node
import { expect, test } from 'vitest';
import { laterFiles } from '../../later-files.ts';

type Handler = (this: object, options: null, bundle: object) => void;

/** A chunk that loads a screen with a hundred others, as Vite leaves it. */
const CODE = `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=${JSON.stringify(
  Array.from({ length: 100 }, (_, i) => `assets/screen-${i}.js`),
)})))=>i.map(i=>d[i]);
const open=()=>load(()=>import("./screen-1.js"),__vite__mapDeps([1,2]));`;

test('a list of files that went with its release is told through the door of the others', async () => {
  const chunk = {
    ...{ type: 'chunk', fileName: 'assets/main.js', code: CODE, imports: [], moduleIds: [] },
  };
  const { generateBundle } = laterFiles() as unknown as { generateBundle: { handler: Handler } };
  const emitted: string[] = [];
  generateBundle.handler.call(
    { emitFile: ({ fileName }: { fileName: string }) => emitted.push(fileName) },
    null,
    { [chunk.fileName]: chunk },
  );
  expect(emitted).toEqual(['assets/files-main.js']);
  expect(chunk.code).toContain('import("./files-main.js")');
  const gone = new Error('Failed to fetch dynamically imported module');
  const failures: unknown[] = [];
  const load = (ask: () => Promise<unknown>) => ask().catch((error) => failures.push(error));
  const code = chunk.code.replace('import("./files-main.js")', 'Promise.reject(gone)');
  await new Function('load', 'gone', `${code}; return open();`)(load, gone);
  expect(failures).toEqual([gone]);
});
