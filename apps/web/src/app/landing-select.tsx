import { Select, type SelectProps } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LANDING, type RouteInfo } from './guard.ts';
import { usePages } from './use-pages.ts';

interface LandingSelectProps
  extends Pick<SelectProps, 'label' | 'description' | 'error' | 'disabled' | 'name' | 'size' | 'aria-label'> {
  /** The dashboards that can be chosen. */
  boards: readonly { _id: string; name: string }[] | undefined;
  /** Empty for the page that the product opens with. */
  value: string;
  onChange: (page: string) => void;
}

/** The page at which people start, chosen from the screens and the dashboards there are. */
export function LandingSelect({ boards, value, onChange, ...select }: LandingSelectProps) {
  const { t } = useTranslation();
  const { routesByPath } = useRouter();
  const routes = routesByPath as Record<string, { options: { staticData?: RouteInfo } } | undefined>;
  const pages = usePages().map((path) => {
    const title = routes[path]?.options.staticData?.title;
    return { value: path, label: title === undefined ? path : `${t(title)} (${path})` };
  });
  const ofBoards = (boards ?? []).map(({ _id, name }) => ({ value: `/entities/dash3/${_id}`, label: name }));
  const isKnown = value === '' || [...pages, ...ofBoards].some((one) => one.value === value);
  return (
    <Select
      {...select}
      placeholder={LANDING}
      value={value === '' ? null : value}
      data={[
        // What was kept may lead to a page with a choice of its own, or to a dashboard that is gone.
        ...(isKnown ? [] : [{ value, label: value }]),
        {
          group: t('workgroup.landing.pages'),
          items: pages.toSorted((a, b) => a.label.localeCompare(b.label)),
        },
        { group: t('workgroup.landing.boards'), items: ofBoards },
      ]}
      searchable
      clearable
      nothingFoundMessage={t('workgroup.landing.none')}
      onChange={(page) => onChange(page ?? '')}
    />
  );
}
