import { expect, test } from 'vitest';
import { Pace } from './history-pace.ts';

/** A machine on which each line costs so much processor time, ms, beside what else it does. */
function machine({ lineMs, cores = 2, others = 0 }: { lineMs: number; cores?: number; others?: number }) {
  let [now, busy, lines] = [0, 0, 0];
  const pace = new Pace({
    times: () => ({ busy, total: now * cores }),
    rest: async (ms) => {
      now += ms;
      busy += ms * others * cores;
    },
  });
  return {
    /** Share of the processors that was busy, and lines a second, over the last so many pieces. */
    async write(pieces: number) {
      const before = { now, busy, lines };
      for (let i = 0; i < pieces; i++) {
        const tookMs = (2000 * lineMs) / cores;
        now += tookMs;
        busy += Math.min(2000 * lineMs + tookMs * others * cores, tookMs * cores);
        lines += 2000;
        await pace.rest(2000, tookMs);
      }
      const ms = now - before.now;
      return { share: (busy - before.busy) / (ms * cores), perS: (1000 * (lines - before.lines)) / ms };
    },
  };
}

test('however dear a line is, the machine stays under what health calls a warning', async () => {
  for (const lineMs of [0.02, 0.1, 0.4]) {
    const { write } = machine({ lineMs });
    await write(50);
    const { share } = await write(50);
    expect(share, `${lineMs}`).toBeGreaterThan(0.25);
    expect(share, `${lineMs}`).toBeLessThan(0.5);
  }
});

test('a machine that is busy with other things gets some of it all the same', async () => {
  const { write } = machine({ lineMs: 0.1, others: 1 });
  await write(50);
  expect((await write(20)).perS).toBeGreaterThan(300);
});
