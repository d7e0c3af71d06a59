/** What the processes of the ingest bench say to one another. */
export interface AgentIdentity {
  id: string;
  certPem: string;
  keyPem: string;
}

export interface Order {
  port: number;
  caPem: string;
  agents: AgentIdentity[];
  seconds: number;
  /** Values a second that all agents together make. */
  pointsPerSecond: number;
}

/** What the cloud's process says. */
export type FromCloud =
  | { kind: 'ready'; port: number; url: string; caPem: string; agents: AgentIdentity[] }
  | { kind: 'memory'; heapMb: number; rssMb: number; cpuSeconds: number }
  | { kind: 'counted'; events: number };

/** What the load's process says. */
export type FromLoad =
  | { kind: 'connected'; seconds: number }
  | { kind: 'progress'; points: number; waiting: number; p99Ms: number }
  | { kind: 'result'; result: LoadResult };

export interface LoadResult {
  seconds: number;
  sentEvents: number;
  ackedEvents: number;
  pauses: number;
  /** From publishing to the acknowledgement, of each batch. */
  latencies: number[];
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Milliseconds until everything was acknowledged after the last event. */
  drainMs: number;
  cpuSeconds: number;
}

export const POINTS_AN_EVENT = 15;
