/** The product's name where it becomes part of a path, a command or a topic. */
export const PRODUCT = 'albedo';

/** The product's name for people. */
export const PRODUCT_NAME = 'Albedo';

/** Version of the web app that this tree builds; the server announces it so that browsers notice a newer one. */
export const FRONTEND_VERSION = '1.6.96';

/** Response header of every API answer that carries the version of the web app the server serves. */
export const FRONTEND_VERSION_HEADER = 'x-frontend-version';

/** Folder of the agent's captured files; a path below it is `<table>/<source…>/latest.csv`. */
export const AGENT_LOG_DIRECTORY = `/opt/${PRODUCT}/logs/`;
