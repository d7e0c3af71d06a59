import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

const BIN = '/usr/lib/postgresql/15/bin';

/** Debian's PostgreSQL 15 in a folder of its own with its default settings (fsync on), fed through one psql. */
export class Postgres15 {
  readonly #folder = mkdtempSync(join(tmpdir(), 'albedo-bench-postgres-'));
  #psql: ChildProcess | null = null;
  #lines: Interface | null = null;

  async start(): Promise<void> {
    chmodSync(this.#folder, 0o755);
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', this.#folder]);
    const port = await freePort();
    this.#run('initdb', '-D', join(this.#folder, 'data'), '-A', 'trust', '-E', 'UTF8');
    const options = `-p ${port} -k ${this.#folder} -c listen_addresses=`;
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
    this.#psql = spawn('psql', ['-h', this.#folder, '-p', String(port), '-U', 'postgres', '-AtX'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
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
