/** The package tool: installs what the publisher of plugins has signed, and nothing else. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PRODUCT } from '@albedo/contract/product';
import { openRepository, UntrustedError } from '@albedo/pki/repository';
import { messageOf } from '../log.ts';
import { installPackage, packagePath, removePackage } from '../plugins/plugin-install.ts';
import { installedPlugins, placesOf } from '../plugins/plugin-place.ts';
import { seedOf } from '../plugins/plugin-seed.ts';
import { rootAt } from '../root.ts';
import { VERSION } from '../version.ts';

const USAGE = `ardpkg ${VERSION}

  ardpkg list                                 the plugins of this device
  ardpkg verify  NAME VERSION --from FOLDER   whether a package is what its publisher signed
  ardpkg install NAME VERSION --from FOLDER   install it, or replace another version
  ardpkg remove  NAME                         remove it with its tasks

  FOLDER holds a publication: metadata/ and targets/. Packages of the cloud come by themselves.
  --root DIR    where everything lies (/)      --json    for programs
`;
const EXIT = { usage: 2, untrusted: 3, failed: 1 };

async function work(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: 'string', default: process.env.ALBEDO_ROOT ?? '/' },
      from: { type: 'string' },
      json: { type: 'boolean', default: false },
      version: { type: 'boolean', short: 'v', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  const root = rootAt(resolve(values.root));
  const [verb = '', name = '', version = ''] = positionals;
  if (values.version) {
    say(VERSION);
    return 0;
  }
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (verb === 'list') {
    const plugins = installedPlugins(root);
    if (values.json) say(JSON.stringify(plugins));
    else
      for (const one of plugins) say(`${one.name.padEnd(24)}${one.version ?? `with the ${PRODUCT} agent`}`);
    return 0;
  }
  if (verb === 'remove' && name !== '') {
    if (await removePackage(root, name)) return 0;
    process.stderr.write(`ardpkg: ${name} is not installed\n`);
    return EXIT.failed;
  }
  if ((verb === 'install' || verb === 'verify') && values.from !== undefined && version !== '') {
    const seed = seedOf(root, process.argv[1]);
    if (seed === null) throw new UntrustedError('this device was never told whose plugins it may run');
    if (verb === 'verify') {
      const { trust } = placesOf(root);
      await (await openRepository({ trust, seed, from: values.from })).checked(packagePath(name, version));
      return 0;
    }
    const spec = await installPackage({ root, name, version, from: values.from, seed });
    if (!values.json) say(`${spec.title} ${spec.version} is installed as ${spec.binary}.`);
    return 0;
  }
  process.stderr.write(USAGE);
  return EXIT.usage;
}

try {
  process.exitCode = await work();
} catch (error) {
  process.stderr.write(`ardpkg: ${messageOf(error)}\n`);
  process.exitCode = error instanceof UntrustedError ? EXIT.untrusted : EXIT.failed;
}
