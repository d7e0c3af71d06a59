import MagicString from 'magic-string';
import { type Plugin, parseAst, type Rolldown } from 'vite';
import { need } from './weigh.ts';

/** Modules that the first screens import while they are drawn keep their own lists of files: a further request would delay them. */
const FIRST =
  /apps\/web\/src\/(?:start\/|main|features\.ts|locales\/\w+\.first|app\/notices\.tsx|features\/(?:shell\/shell-frame|boards\/(?:board-page|board-stage|landing)|boards\/widgets\/.*-view|devices\/devices-page|plants\/plants-band|incidents\/incidents-strip|announcements\/announcement-bell|long-actions\/activity|search\/global-search)\.)|node_modules\/socket\.io-client\//;
/** Vite's own list: the names of all files. Each import then gives the places of its files in it. */
const NAMES =
  /const __vite__mapDeps=\(i,m=__vite__mapDeps,d=\(m\.f\|\|\(m\.f=(\[[^\]]*\])\)\)\)=>i\.map\(i=>d\[i\]\);\n?/;
const IMPORTED = /import\([`'"]\.\/([^`'"]+)[`'"]\)/;
/** A shorter list stays where it is. */
const WORTH_BYTES = 1000;

/**
 * Moves the lists of files that each screen needs into files of their own, loaded when the first of these screens opens: the
 * lists are as large as the code that announces the screens.
 */
export function laterFiles(): Plugin {
  return {
    name: 'albedo-later-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk') {
            const names = NAMES.exec(chunk.code);
            if (names && names[0].length > WORTH_BYTES)
              split(chunk, names, bundle, (file) => this.emitFile(file));
          }
      },
    },
  };
}

function split(
  chunk: Rolldown.OutputChunk,
  [declaration, list = '[]']: RegExpExecArray,
  bundle: Rolldown.OutputBundle,
  emit: (file: { type: 'asset'; fileName: string; source: string }) => void,
): void {
  const names = JSON.parse(list) as string[];
  const own = new Names();
  const later = new Names();
  const lists: number[][] = [];
  const isThere = new Set<string>();
  need(chunk, bundle, isThere);
  const code = new MagicString(chunk.code);
  let preload = '';
  for (const { load, asks, files } of importsIn(chunk.code)) {
    const target = bundle[`assets/${IMPORTED.exec(chunk.code.slice(asks.start, asks.end))?.[1]}`];
    const missing = files.places.map((at) => names[at] as string).filter((name) => !isThere.has(name));
    if (missing.length === 0 || (target?.type === 'chunk' && target.moduleIds.some((id) => FIRST.test(id)))) {
      code.overwrite(
        files.start,
        files.end,
        `__vite__mapDeps([${missing.map((name) => own.at(name)).join()}])`,
      );
      continue;
    }
    preload = chunk.code.slice(load.start, load.end);
    lists.push(missing.map((name) => later.at(name)));
    code.overwrite(load.start, load.end, '__later').overwrite(files.start, files.end, `${lists.length - 1}`);
  }
  if (preload === '') return;
  // Named after its chunk, whose name changes with the content of either. If it is gone after a release, that is reported as
  // for every other file that is loaded on demand.
  const fileName = chunk.fileName.replace(/([^/]+)\.js$/, 'files-$1.js');
  emit({
    type: 'asset',
    fileName,
    source: `const n=${JSON.stringify(later.all)};export const l=${JSON.stringify(lists)}.map(i=>i.map(i=>n[i]));`,
  });
  chunk.code = `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=${JSON.stringify(own.all)})))=>i.map(i=>d[i]);
const __later=(__ask,__at)=>import("./${fileName.replace(/.*\//, '')}").then(__files=>${preload}(__ask,__files.l[__at]),__e=>${preload}(()=>Promise.reject(__e),[]));
${code.toString().replace(declaration, '')}`;
}

interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  value?: number;
  callee?: Node;
  arguments?: Node[];
  elements?: Node[];
}

interface Import {
  load: Node;
  asks: Node;
  files: Node & { places: number[] };
}

/** The calls that import a module together with its files: `load(() => import('./page.js'), __vite__mapDeps([0, 1]))`. */
function importsIn(code: string): Import[] {
  const imports: Import[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    else if (typeof node === 'object' && node !== null) {
      const { type, callee, arguments: [asks, files] = [] } = node as Node;
      if (type === 'CallExpression' && callee && asks && files?.callee?.name === '__vite__mapDeps') {
        const places = files.arguments?.[0]?.elements?.map(({ value }) => value ?? 0) ?? [];
        imports.push({ load: callee, asks, files: { ...files, places } });
      }
      for (const child of Object.values(node)) visit(child);
    }
  };
  visit(parseAst(code).body);
  return imports;
}

/** A list of names without repeats; `at` gives the place of a name and adds a new one. */
class Names {
  readonly all: string[] = [];

  at(name: string): number {
    const at = this.all.indexOf(name);
    return at >= 0 ? at : this.all.push(name) - 1;
  }
}
