import { member } from '@albedo/contract/access/access';
import { Tabs } from '@mantine/core';
import { Outlet, useLocation, useMatch, useNavigate, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../ui/page.tsx';
import { TabList } from '../ui/tab-list.tsx';
import classes from '../ui/tabbed.module.css';
import { denialOf, type Visitor, visitorOf } from './guard.ts';
import { useSignedIn } from './session.ts';

/** Title and tabs around the screens of an area; the tabs are the routes below it that the visitor may open. */
export function AreaPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { routeId, staticData } = useMatch({ strict: false });
  const screens = useScreens(routeId);
  const visitor = visitorOf(useSignedIn());
  const shown = screens.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  // One that is not offered may still be opened by its address; it has its tab then.
  const tabs = screens.filter((screen) => screen === shown || (visitor && isOffered(screen, visitor)));
  const isFilling = shown?.isFilling ?? false;
  return (
    <Page
      isFilling={isFilling}
      title={t(staticData?.area?.title ?? '')}
      context={shown ? t(shown.context) : '\u00a0'}
    >
      <Tabs
        value={shown?.to ?? null}
        className={isFilling ? (classes.tabs ?? '') : ''}
        onChange={(next) => next && void navigate({ to: next })}
        keepMounted={false}
      >
        <TabList
          shown={shown?.to ?? null}
          tabs={tabs.map(({ to, title }) => ({ id: to, title: t(title) }))}
        />
        {shown ? (
          <Tabs.Panel value={shown.to} className={(isFilling ? classes.panel : classes.below) ?? ''}>
            <Outlet />
          </Tabs.Panel>
        ) : null}
      </Tabs>
    </Page>
  );
}

type Tab = ReturnType<typeof useScreens>[number];

const isOffered = ({ addon, access }: Tab, visitor: Visitor): boolean =>
  denialOf(access, visitor) === null && (addon === undefined || visitor.addons.includes(addon));

/** The routes of the area that are tabs, in their order. */
function useScreens(area: string) {
  const { routesById } = useRouter();
  return Object.values(routesById)
    .flatMap(({ parentRoute, fullPath, options: { staticData } }) =>
      parentRoute?.id === area && staticData?.tab
        ? [
            {
              ...staticData.tab,
              to: fullPath,
              title: staticData.title ?? '',
              access: staticData.access ?? member,
            },
          ]
        : [],
    )
    .toSorted((a, b) => a.at - b.at);
}
