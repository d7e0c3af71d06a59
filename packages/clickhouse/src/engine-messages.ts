/** What the parent tells the process that holds the engine. */
export type EngineOrder =
  | { order: 'start'; dataDir: string; port: number; password: string }
  | { order: 'stop' };

/** What that process tells its parent. */
export type EngineReport = { report: 'ready'; port: number } | { report: 'failed'; message: string };
