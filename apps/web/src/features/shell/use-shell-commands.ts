import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../app/feature.ts';
import { visitorOf } from '../../app/guard.ts';
import { announced } from '../../app/inside.ts';
import { notifyFailure } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { endSession } from '../sessions/sessions.queries.ts';
import { saveSetting, useSettings } from '../settings/settings.queries.ts';
import { workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import { visibleMenu } from './visible-menu.ts';
import { openWorkgroup } from './workgroup-switch.ts';

/** The lines of the menu that have keys. */
export function useMenuCommands(): readonly Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { routesByPath } = useRouter();
  const session = useSignedIn();
  return useMemo(() => {
    const visitor = visitorOf(session);
    const menu = visitor ? visibleMenu(announced('menu'), visitor, routesByPath) : [];
    const lines = menu.flatMap((line) => [line, ...(line.items ?? [])]);
    return lines.flatMap(({ title, to, keys }): Command[] =>
      to && keys
        ? [{ id: `go ${to}`, title: t(title), group: 'go', keys, run: () => void navigate({ to }) }]
        : [],
    );
  }, [session, routesByPath, navigate, t]);
}

const SCHEMES = [
  { scheme: 'light', title: 'shell.commands.light' },
  { scheme: 'dark', title: 'shell.commands.dark' },
  { scheme: 'auto', title: 'shell.commands.auto' },
] as const;

/** How the app looks, which workgroup it shows, and the way out. */
export function useShellCommands(): readonly Command[] {
  const { t } = useTranslation();
  const router = useRouter();
  const { workgroup: current } = useSignedIn();
  const { colorScheme = 'auto', hiddenOrgs = NONE } = useSettings();
  const { data: workgroups = NONE } = useQuery(workgroupsQuery);
  return useMemo((): Command[] => {
    const themes = SCHEMES.filter(({ scheme }) => scheme !== colorScheme).map(
      ({ scheme, title }): Command => ({
        id: `theme ${scheme}`,
        title: t(title),
        group: 'do',
        run: () =>
          void saveSetting('colorScheme', scheme).catch((error: unknown) =>
            notifyFailure(t('profile.notSaved'), error),
          ),
      }),
    );
    const others = workgroups
      .filter(({ name }) => name !== current && !hiddenOrgs.includes(name))
      .map(
        ({ name, displayName }): Command => ({
          id: `workgroup ${name}`,
          title: t('shell.commands.workgroup', { name: displayName }),
          group: 'do',
          run: () => void openWorkgroup(router, name),
        }),
      );
    const out: Command = {
      id: 'logout',
      title: t('shell.logout'),
      group: 'do',
      run: () => void endSession(),
    };
    return [...themes, ...others, out];
  }, [t, router, current, colorScheme, hiddenOrgs, workgroups]);
}

const NONE: never[] = [];
