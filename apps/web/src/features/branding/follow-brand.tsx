import type { BrandImageKind } from '@albedo/contract/workgroups/workgroups.schema';
import { useEffect } from 'react';
import { useSession } from '../../app/session.ts';
import { loadBrandImage } from './branding.queries.ts';

/** Shows the images of the workgroup that the person looks at, and the new ones when they change. */
export function FollowBrand() {
  const session = useSession();
  const wg = session?.workgroup;
  const images = session?.workgroups?.find(({ name }) => name === wg)?.images;
  const { logo, favicon } = images ?? {};
  useEffect(() => {
    const versions: [BrandImageKind, string | undefined][] = [
      ['logo', logo],
      ['favicon', favicon],
    ];
    // Without its image the brand's name and colours still stand there, and the next change asks again.
    for (const [kind, version] of versions)
      if (wg && version) loadBrandImage(wg, kind, version).catch(() => {});
  }, [wg, logo, favicon]);
  return null;
}
