let ahead = 0;

/** Loads code before anybody needs it: if that fails, the page stays as it is. */
export async function loadAhead<T>(load: () => Promise<T>): Promise<T> {
  ahead++;
  try {
    return await load();
  } finally {
    ahead--;
  }
}

/** Whether a file that fails to load now may have been loaded ahead. */
export const isLoadingAhead = (): boolean => ahead > 0;
