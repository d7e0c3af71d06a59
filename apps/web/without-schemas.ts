import MagicString from 'magic-string';
import type { Plugin } from 'vite';

const DECLARATIONS = /packages\/contract\/src\/.*\.api\.ts$/;

/**
 * Leaves the schemas out of the contract's endpoints: the web app calls them by method and address, and its types are
 * made before. Without this every visitor of the sign-in page would load the validation library.
 */
export function withoutSchemas(): Plugin {
  return {
    name: 'albedo-without-schemas',
    enforce: 'pre',
    transform: {
      filter: { id: DECLARATIONS },
      handler(code) {
        const result = new MagicString(code);
        walk(this.parse(code, { lang: 'ts' }), (node) => {
          if (node.type === 'Property' && node.key?.name === 'schema' && node.value)
            result.overwrite(node.value.start, node.value.end, '{}');
        });
        return { code: result.toString(), map: result.generateMap({ hires: true }) };
      },
    },
  };
}

interface Node {
  type: string;
  start: number;
  end: number;
  key?: { name?: string };
  value?: Node | null;
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) visit(node as Node);
    for (const one of Object.values(node)) walk(one, visit);
  }
}
