import { useQuery } from '@tanstack/react-query';
import { useWorkgroup } from '../../app/session.ts';
import { setWorkgroupSetting, workgroupsQuery } from '../workgroups/workgroups.queries.ts';

const KEY = 'deviceGroupDefaultPages';

/** The pages at which the members of device groups start, by group, and how one is changed; an empty one is none. */
export function useDefaultPages(): {
  pages: Readonly<Record<string, string>>;
  save: (group: string, page: string) => Promise<void>;
} {
  const wg = useWorkgroup();
  const { data } = useQuery(workgroupsQuery);
  const pages = (data?.find(({ name }) => name === wg)?.settings[KEY] ?? {}) as Record<string, string>;
  return {
    pages,
    save: async (group, page) => {
      const others = Object.entries(pages).filter(([id]) => id !== group);
      await setWorkgroupSetting(wg, KEY, Object.fromEntries(page ? [...others, [group, page]] : others));
    },
  };
}
