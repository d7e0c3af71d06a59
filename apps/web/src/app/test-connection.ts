/** Stands in for the connection of the socket: it begins, or comes back, when a test says so. */
export const connection = { begin: () => {} };

/** For `vi.mock` of `socket.ts`. */
export const withConnection = async <M extends object>(original: () => Promise<M>) => ({
  ...(await original()),
  onConnected: (resume: () => void) => {
    connection.begin = resume;
    return () => {};
  },
});
