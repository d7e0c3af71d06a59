/**
 * How the cloud is started as a process, by the demo and by `npm start`; `deploy` says the same to others. The part of the heap
 * for new things keeps what it once grew to, 128 MB by default for 110 MB that last. The C library keeps an arena for each thread
 * that ever worked, and every large buffer that was ever returned: with two arenas, and large buffers that go back at once, the
 * process is 50 MB smaller from the start on.
 */
export const CLOUD_FLAGS = ['--max-semi-space-size=16'] as const;
export const CLOUD_ENV = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
