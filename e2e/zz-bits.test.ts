import { cpSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync, truncateSync, writeSync, closeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { freePort } from '../scripts/testing/engines.ts';
import { Plant } from './faults/plant.ts';
import { Cloud } from './harness/product.ts';
import { randomOf } from './harness/random.ts';
const walk = (d: string): string[] => readdirSync(d, { withFileTypes: true }).flatMap((e) => e.isDirectory() ? walk(join(d, e.name)) : e.isFile() ? [join(d, e.name)] : []);
test('bits', { timeout: 7_200_000 }, async () => {
  const plant = new Plant();
  await plant.open(null);
  const edge = await plant.edge('bits', ['t']);
  edge.start(); edge.write('t', 0, 200); await edge.stored('t', 200);
  await sleep(6000); await edge.kill();
  await plant.cloud.program.end(process.env.KILLED ? 'SIGKILL' : 'SIGTERM');
  const seed0 = Number(process.env.SEED ?? 1), count = Number(process.env.COUNT ?? 20);
  const within = process.env.WITHIN ?? '';
  for (let seed = seed0; seed < seed0 + count; seed++) {
    const random = randomOf(seed);
    const dir = mkdtempSync('/tmp/zz-bits-');
    cpSync(plant.data, join(dir, 'data'), { recursive: true, filter: (s) => !s.endsWith('.sock') });
    const files = walk(join(dir, 'data', within)).filter((f) => statSync(f).size > 0);
    // half by file, half by size
    let file = files[Math.floor(random() * files.length)] as string;
    if (seed % 2) { let at = random() * files.reduce((s, f) => s + statSync(f).size, 0); for (const f of files) { at -= statSync(f).size; if (at <= 0) { file = f; break; } } }
    const size = statSync(file).size;
    const kind = ['flip', 'flip', 'flip', 'zeros', 'cut', 'gone'][Math.floor(random() * 6)];
    const at = Math.floor(random() * size);
    if (kind === 'flip') { const fd = openSync(file, 'r+'); const b = Buffer.alloc(1); readSync(fd, b, 0, 1, at); b[0] = (b[0] as number) ^ (1 << Math.floor(random() * 8)); writeSync(fd, b, 0, 1, at); closeSync(fd); }
    if (kind === 'zeros') { const fd = openSync(file, 'r+'); const p = Math.floor(at / 4096) * 4096; writeSync(fd, Buffer.alloc(Math.min(4096, size - p)), 0, Math.min(4096, size - p), p); closeSync(fd); }
    if (kind === 'cut') truncateSync(file, at);
    if (kind === 'gone') rmSync(file);
    const cloud = new Cloud({ data: join(dir, 'data'), httpPort: await freePort(), mqttPort: await freePort() });
    const t0 = Date.now(); cloud.program.start();
    let ready = '', health = 0;
    for (let i = 0; i < 120 && cloud.program.isRunning; i++) { await sleep(250); try { const r = await fetch(`${cloud.base}/readyz`); ready = `${r.status} ${(await r.text()).slice(0, 300)}`; health = (await fetch(`${cloud.base}/healthz`)).status; if (r.status === 200 && i > 40) break; if (i > 60) break; } catch {} }
    const secs = ((Date.now() - t0) / 1000).toFixed(0);
    let did = '';
    if (cloud.program.isRunning) { try { const wg = await cloud.signIn(); const list = await cloud.api.call(devicesApi.list, { params: { wg } }); did += ` devices ${list.length}`; const rows = await cloud.stored({ wg, table: 't', device: edge.agent.device.id, source: 's', field: 'n' }).catch((e) => `search: ${String(e).slice(0, 150)}`); did += ` rows ${Array.isArray(rows) ? rows.length : rows}`; } catch (e) { did += ` FAILED ${String(e).slice(0, 200)}`; } }
    const running = cloud.program.isRunning; const code = running ? null : await cloud.program.end('SIGKILL');
    const out = cloud.program.output.split('\n').filter(Boolean).slice(running ? -2 : -8).join(' || ').slice(0, running ? 300 : 6000);
    console.log(`${seed} ${kind} ${relative(join(dir, 'data'), file)} @${at}/${size} ${secs}s running=${running} code=${code} ready=${ready.replace(/\n/g, ' ')} |${did}\n      ${out}`);
    await cloud.program.end('SIGTERM').catch(() => {}); await cloud.program.end('SIGKILL').catch(() => {});
    rmSync(dir, { recursive: true, force: true });
  }
  await plant.close();
});
