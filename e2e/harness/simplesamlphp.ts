import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WWW = '/usr/share/simplesamlphp/www';
const PHP = '/usr/bin/php';
const MISSING =
  'SimpleSAMLphp is not on this machine, and nothing else stands in for it; install it with: ' +
  'apt-get install simplesamlphp php-cli php-xml php-mbstring php-curl';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

export interface SamlUser {
  name: string;
  password: string;
  email: string;
  displayName: string;
}

/** Debian's SimpleSAMLphp as an identity provider: a real one, on a free port, with a configuration of its own. */
export class SimpleSamlPhp {
  readonly url: string;
  readonly #folder: string;
  readonly #php: ChildProcess;

  constructor(url: string, folder: string, php: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#php = php;
  }

  get metadataUrl(): string {
    return `${this.url}/saml2/idp/metadata.php`;
  }

  /** Where its portal leads somebody who wants to open the service provider from there. */
  startAddress(spEntityId: string): string {
    return `${this.url}/saml2/idp/SSOService.php?spentityid=${encodeURIComponent(spEntityId)}`;
  }

  stop(): void {
    this.#php.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Starts it, knowing the service provider by the metadata that this one publishes at `spMetadataUrl`. Throws, saying
 * how to get it, where it is not installed: sign-in with SAML is not shown to work there.
 */
export async function startSimpleSamlPhp(spMetadataUrl: string, users: SamlUser[]): Promise<SimpleSamlPhp> {
  if (!existsSync(`${WWW}/index.php`) || !existsSync(PHP)) throw new Error(MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'albedo-simplesaml-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  for (const name of ['cert', 'metadata', 'tmp']) mkdirSync(join(folder, name));
  const [key, certificate] = [join(folder, 'cert/idp.pem'), join(folder, 'cert/idp.crt')];
  const selfSigned = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '365',
    '-subj',
    '/CN=idp.test',
  ];
  execFileSync('openssl', [...selfSigned, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  writeFileSync(join(folder, 'config.php'), `<?php $config = ${php(configOf(url, folder))};`);
  writeFileSync(join(folder, 'authsources.php'), `<?php $config = ${php(sourcesOf(users))};`);
  const metadata = (name: string, of: object) =>
    writeFileSync(
      join(folder, 'metadata', `${name}.php`),
      `<?php ${Object.entries(of)
        .map(([key, value]) => `$metadata[${php(key)}] = ${php(value)};`)
        .join('\n')}`,
    );
  metadata('saml20-idp-hosted', { '__DYNAMIC:1__': HOSTED });
  metadata('saml20-sp-remote', await serviceProviderAt(spMetadataUrl));
  const child = spawn(PHP, ['-S', `127.0.0.1:${port}`, '-t', WWW], {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder, PHP_CLI_SERVER_WORKERS: '4' },
    stdio: 'ignore',
  });
  const idp = new SimpleSamlPhp(url, folder, child);
  await untilUp(idp.metadataUrl);
  return idp;
}

const HOSTED = {
  host: '__DEFAULT__',
  privatekey: 'idp.pem',
  certificate: 'idp.crt',
  auth: 'people',
  'signature.algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  NameIDFormat: EMAIL_FORMAT,
  authproc: { 3: { class: 'saml:AttributeNameID', attribute: 'email', Format: EMAIL_FORMAT } },
};

const configOf = (url: string, folder: string) => ({
  baseurlpath: `${url}/`,
  certdir: `${folder}/cert/`,
  metadatadir: `${folder}/metadata/`,
  tempdir: `${folder}/tmp`,
  secretsalt: 'a salt of this test alone',
  'auth.adminpassword': 'nobody needs this one',
  'enable.saml20-idp': true,
  'module.enable': { exampleauth: true, core: true, saml: true },
  'logging.handler': 'errorlog',
  'session.cookie.secure': false,
  'store.type': 'phpsession',
  'session.phpsession.savepath': `${folder}/tmp`,
  'metadata.sources': [{ type: 'flatfile' }],
});

function sourcesOf(users: SamlUser[]): object {
  const people = users.map(({ name, password, email, displayName }) => [
    `${name}:${password}`,
    { email: [email], displayName: [displayName] },
  ]);
  return { people: { 0: 'exampleauth:UserPass', ...Object.fromEntries(people) } };
}

/** Only requests that the service provider signed are answered, and with assertions that only it can open. */
async function serviceProviderAt(metadataUrl: string): Promise<object> {
  const xml = await (await fetch(metadataUrl)).text();
  const found = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
  const certificateFor = (use: string) =>
    found(new RegExp(`use="${use}".*?X509Certificate>([^<]+)<`, 's')).replace(/\s/g, '');
  const key = { type: 'X509Certificate', signing: false, encryption: false };
  return {
    [found(/entityID="([^"]+)"/)]: {
      AssertionConsumerService: found(/AssertionConsumerService[^>]* Location="([^"]+)"/),
      keys: {
        0: { ...key, signing: true, X509Certificate: certificateFor('signing') },
        1: { ...key, encryption: true, X509Certificate: certificateFor('encryption') },
      },
      'validate.authnrequest': true,
      'saml20.sign.assertion': true,
      'assertion.encryption': true,
      NameIDFormat: EMAIL_FORMAT,
    },
  };
}

/** The value as a PHP expression. */
function php(value: unknown): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(
    ([key, one]) => `${/^\d+$/.test(key) ? key : php(key)} => ${php(one)}`,
  );
  return `[${entries.join(', ')}]`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilUp(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const reply = await fetch(url).catch(() => null);
    if (reply?.ok) return;
    if (tries === 100) throw new Error(`SimpleSAMLphp does not answer: ${await reply?.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
