/**
 * Loaded before the main module of every child of the demo: ends the child when the orchestrator is gone, however that
 * happened. The channel closes with the orchestrator's process, even when it is killed.
 */
const LAST_MS = 12_000;

process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The channel alone must not keep a finished process alive.
process.channel?.unref();
