import type { Page } from '@playwright/test';

/** The live connection of a page as something that can break: the browser's own offline mode leaves open sockets alone. */
interface Wire {
  /** Ends the connection, and every new one at once, until it is mended. */
  cut: () => Promise<void>;
  mend: () => void;
}

/** To be called before the page is opened. */
export async function wireOf(page: Page): Promise<Wire> {
  let isCut = false;
  const open = new Set<{ close: () => Promise<void> }>();
  await page.routeWebSocket(/socket\.io-client/, (socket) => {
    if (isCut) return void socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  return {
    cut: async () => {
      isCut = true;
      await Promise.all([...open].map((socket) => socket.close()));
      open.clear();
    },
    mend: () => {
      isCut = false;
    },
  };
}
