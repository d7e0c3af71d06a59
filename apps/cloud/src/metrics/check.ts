/** Throws (or rejects) when something that the server needs does not work. */
export type Check = () => unknown;
