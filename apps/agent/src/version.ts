import manifest from '../package.json' with { type: 'json' };

/** Version of this agent. */
export const VERSION: string = manifest.version;
