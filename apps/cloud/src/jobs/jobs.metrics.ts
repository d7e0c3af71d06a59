import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Bus } from '../bus/bus.ts';
import { DEAD } from './jobs.queue.ts';
import type { Jobs } from './jobs.service.ts';
import { jobRan } from './jobs.topics.ts';

const STATES = ['queued', 'running', 'failed', 'dead'] as const;
type State = (typeof STATES)[number];

/** What the queues hold, as any process with the role sees it, and what this process ran. */
export function measureJobs(jobs: Jobs, bus: Bus, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'albedo_jobs',
    help: 'Jobs that wait for their first attempt (queued), run, failed and wait for another attempt, or are dead.',
    labelNames: ['job', 'state'],
    registers,
    async collect() {
      this.reset();
      const byState = new Map<State, number>(STATES.map((state) => [state, 0]));
      for (const { job, name, state: raw, jobs: count } of await jobs.counts()) {
        const state = stateOf(name, raw);
        if (!state) continue;
        this.set({ job: job ?? name, state }, count);
        byState.set(state, (byState.get(state) ?? 0) + count);
      }
      // So that there is always something to compare with.
      for (const [state, count] of byState) this.set({ job: 'all', state }, count);
    },
  });
  const runs = new Counter({
    name: 'albedo_job_runs_total',
    help: 'Attempts at jobs in this process, by how they ended.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'albedo_job_seconds',
    help: 'Time of an attempt at a job, s.',
    labelNames: ['job'],
    buckets: [0.05, 0.5, 5, 30, 120, 600, 3600],
    registers,
  });
  bus.subscribe(jobRan, ({ job, outcome, tookS }) => {
    runs.inc({ job, outcome });
    seconds.observe({ job }, tookS);
  });
}

function stateOf(queue: string, state: string): State | null {
  if (queue === DEAD) return 'dead';
  const states: Record<string, State> = { created: 'queued', active: 'running', retry: 'failed' };
  return states[state] ?? null;
}
