/** Throws (or rejects) when something that the server needs does not work. */
export type Check = () => unknown;

/** Thrown by a check: something is wrong that people have to know, and the server serves all the same. */
export class Impaired extends Error {}
