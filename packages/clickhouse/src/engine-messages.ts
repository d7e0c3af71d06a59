/** Messages of the parent to the process that holds the engine. */
export type EngineOrder =
  | { order: 'start'; dataDir: string; port: number; password: string }
  | { order: 'stop' };

/** Messages of that process to its parent. */
export type EngineReport = { report: 'ready'; port: number } | { report: 'failed'; message: string };
