import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

const BIN = '/usr/lib/postgresql/15/bin';

/** Debian's PostgreSQL 15 in a folder of its own, by default with its own settings (fsync on), fed through one psql. */
export class Postgres15 {
  readonly #folder = mkdtempSync(join(tmpdir(), 'albedo-bench-postgres-'));
  readonly #settings: readonly string[];
  #port = 0;
  #psql: ChildProcess | null = null;
  #lines: Interface | null = null;

  /** Settings as `work_mem=64MB`. */
  constructor(settings: readonly string[] = []) {
    this.#settings = settings;
  }

  /** What psql connects with. */
  get address(): string[] {
    return ['-h', this.#folder, '-p', String(this.#port), '-U', 'postgres', '-AtX'];
  }

  async start(): Promise<void> {
    chmodSync(this.#folder, 0o755);
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', this.#folder]);
    this.#port = await freePort();
    this.#run('initdb', '-D', join(this.#folder, 'data'), '-A', 'trust', '-E', 'UTF8');
    const options = [`-p ${this.#port} -k ${this.#folder} -c listen_addresses=`, ...this.#settings].join(
      ' -c ',
    );
    this.#run(
      'pg_ctl',
      '-D',
      join(this.#folder, 'data'),
      '-o',
      options,
      '-l',
      join(this.#folder, 'log'),
      '-w',
      'start',
    );
    this.#psql = spawn('psql', this.address, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#psql.stdout) this.#lines = createInterface({ input: this.#psql.stdout });
  }

  stop(): void {
    this.#psql?.stdin?.end();
    this.#run('pg_ctl', '-D', join(this.#folder, 'data'), '-m', 'fast', 'stop');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Answers the last line that the statement prints. */
  async ask(sql: string): Promise<string> {
    const end = `--done ${Math.random()}--`;
    this.#psql?.stdin?.write(`${sql}\n\\echo '${end}'\n`);
    let last = '';
    return new Promise((resolve) => {
      const onLine = (line: string) => {
        if (line !== end) last = line;
        else {
          this.#lines?.off('line', onLine);
          resolve(last);
        }
      };
      this.#lines?.on('line', onLine);
    });
  }

  #run(program: string, ...args: string[]): void {
    const command = [join(BIN, program), ...args];
    const [file, ...rest] =
      process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    execFileSync(file as string, rest, { stdio: ['ignore', 'ignore', 'inherit'], cwd: this.#folder });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
