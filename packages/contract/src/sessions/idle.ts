/** Says of a request that nobody asked for it by hand: a screen that stands open refreshes itself. */
export const IDLE_HEADER = 'x-albedo-idle';
