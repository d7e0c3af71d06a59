import { type RegisterHooksOptions, registerHooks } from 'node:module';

type Resolve = NonNullable<RegisterHooksOptions['resolve']>;
type Resolved = ReturnType<Resolve>;

/** Our own sources, wherever the installation lies; no workspace has packages of its own below `src`. */
const WORKSPACE = /^file:.*?\/(?:apps|packages)\/[^/]+\/src\//;
const RELATIVE = /^\.\.?\//;
/** The kind of these files is that of their folder. */
const EXTENSION = /\.(?:ts|js)$/;

/**
 * Lets a start resolve each package once for each workspace, and ask once for each folder of what kind its files are. Node asks
 * again for every import, and reads the whole list of what a package exports each time: 130 kB for Drizzle, hundreds of
 * times, which was a quarter of the start's processor time. Nothing but `import` is touched, and a file that is a link by
 * itself would count twice.
 */
export function rememberPaths(): void {
  registerHooks({ resolve: knownPaths() });
}

/** The same as a function. */
export function knownPaths(): Resolve {
  const formats = new Map<string, string>();
  const packages = new Map<string, Resolved>();
  const beside: Resolve = (specifier, context, next) => {
    const [extension] = EXTENSION.exec(specifier) ?? [];
    if (extension === undefined) return next(specifier, context);
    const { href: url } = new URL(specifier, context.parentURL);
    const kind = `${extension} ${url.slice(0, url.lastIndexOf('/'))}`;
    const format = formats.get(kind);
    if (format !== undefined) return { url, format, shortCircuit: true };
    const found = next(specifier, context);
    if (found.url === url && found.format) formats.set(kind, found.format);
    return found;
  };
  return (specifier, context, next) => {
    const { parentURL, conditions, importAttributes } = context;
    const isImport = conditions.includes('import') && Object.keys(importAttributes).length === 0;
    if (!isImport || !parentURL?.startsWith('file:')) return next(specifier, context);
    if (RELATIVE.test(specifier)) return beside(specifier, context, next);
    const [workspace] = WORKSPACE.exec(parentURL) ?? [];
    if (workspace === undefined || specifier.startsWith('node:')) return next(specifier, context);
    const key = `${workspace} ${specifier}`;
    const known = packages.get(key);
    if (known) return known;
    const found = next(specifier, context);
    packages.set(key, { ...found, shortCircuit: true });
    return found;
  };
}
