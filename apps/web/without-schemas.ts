import MagicString from 'magic-string';
import type { Plugin } from 'vite';

/** Properties that only the server and its documentation use. */
const LEFT_OUT = new Set(['schema', 'summary', 'example']);
const DECLARATIONS = /packages\/contract\/src\/.*\.api\.ts$/;

/**
 * Leaves the schemas, sentences and examples out of the contract's endpoints, and the imports that nothing but them needed:
 * the web app calls endpoints by method and address, and its types are made before. Without this every visitor of the sign-in
 * page would load the validation library. Development keeps them: there each body is checked before it is sent.
 */
export function withoutSchemas(): Plugin {
  return {
    name: 'albedo-without-schemas',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: DECLARATIONS },
      handler(code) {
        const result = new MagicString(code);
        const program = this.parse(code, { lang: 'ts' }) as unknown as { body: Node[] };
        const isImport = ({ type }: Node) => type === 'ImportDeclaration';
        const used = new Set<string>();
        const names = new Set<unknown>();
        walk(
          program.body.filter((node) => !isImport(node)),
          (node) => {
            if (node.type === 'Identifier' && node.name && !names.has(node)) used.add(node.name);
            // A property that is called like a schema does not use it.
            if (node.type === 'Property' && node.key && !node.computed && !node.shorthand)
              names.add(node.key);
            if (node.type !== 'Property' || node.shorthand || !LEFT_OUT.has(node.key?.name ?? ''))
              return true;
            result.remove(node.start, code[node.end] === ',' ? node.end + 1 : node.end);
            return false;
          },
        );
        for (const node of program.body.filter(isImport))
          if (!node.specifiers?.some(({ local }) => used.has(local?.name ?? '')))
            result.remove(node.start, node.end);
        return { code: result.toString(), map: result.generateMap({ hires: true }) };
      },
    },
  };
}

interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  key?: { name?: string };
  computed?: boolean;
  shorthand?: boolean;
  value?: Node | null;
  specifiers?: { local?: { name?: string } }[];
}

/** `visit` answers whether to look inside. */
function walk(node: unknown, visit: (node: Node) => boolean): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node && !visit(node as Node)) return;
    for (const one of Object.values(node)) walk(one, visit);
  }
}
