import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { FRONTEND_VERSION, FRONTEND_VERSION_HEADER } from '@albedo/contract/product';

/** Whether the server has another web app than this page comes from; a server that says nothing has none. */
export async function isOutdated(): Promise<boolean> {
  try {
    const { headers } = await fetch(`${API_PREFIX}/version`, { cache: 'no-store' });
    const version = headers.get(FRONTEND_VERSION_HEADER);
    return version !== null && version !== FRONTEND_VERSION;
  } catch {
    return false;
  }
}
