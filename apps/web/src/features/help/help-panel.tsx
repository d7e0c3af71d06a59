import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../app/i18n.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { LinesSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import classes from './help.module.css';
import { hasHelp, loadHelp, loadHelpIndex } from './help-pages.ts';

const INDEX = 'index';

/** Our documentation beside the screen: the page of the route, until the reader follows a link in it. */
export function HelpPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const support = useMatches({ select: (matches) => matches.at(-1)?.staticData.support });
  const ofScreen = hasHelp(support) ? support : INDEX;
  const [chosen, setChosen] = useState({ key: ofScreen, screen: ofScreen });
  // Another screen is another page, whatever was read at the last one.
  const key = chosen.screen === ofScreen ? chosen.key : ofScreen;
  const open = (next: string) => setChosen({ key: next, screen: ofScreen });

  function handleLink(event: MouseEvent) {
    const href = event.target instanceof Element && event.target.closest('a')?.getAttribute('href');
    if (!href || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (href.startsWith('#')) open(href.slice(1));
    else if (href.startsWith('/')) void navigate({ to: href });
    else return;
    event.preventDefault();
  }

  return (
    <aside className={classes.panel} aria-label={t('help.title')}>
      <header className={classes.head}>
        {key === INDEX && ofScreen !== INDEX ? (
          <button type="button" className={classes.link} onClick={() => open(ofScreen)}>
            {t('help.back')}
          </button>
        ) : null}
        {key === INDEX ? null : (
          <button type="button" className={classes.link} onClick={() => open(INDEX)}>
            {t('help.index')}
          </button>
        )}
        <CloseButton className={classes.close} aria-label={t('help.close')} onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions lint/a11y/noNoninteractiveTabindex: only links inside it are followed, and Enter on a link is a click; a page without links is scrolled by keys */}
      <div className={classes.body} onClick={handleLink} tabIndex={0}>
        {key === INDEX ? <Index isFallback={ofScreen === INDEX} onOpen={open} /> : <HelpText page={key} />}
      </div>
    </aside>
  );
}

function HelpText({ page }: { page: string }) {
  const { t } = useTranslation();
  const language = currentLanguage();
  const { data, error, refetch } = useQuery({
    queryKey: ['help', language, page],
    queryFn: () => loadHelp(page, language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorState title={t('help.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <LinesSkeleton lines={9} />;
  return (
    <>
      <h2 className={classes.title}>{data.title}</h2>
      <Markdown>{data.text}</Markdown>
    </>
  );
}

function Index({ isFallback, onOpen }: { isFallback: boolean; onOpen: (key: string) => void }) {
  const { t } = useTranslation();
  const language = currentLanguage();
  const { data, error, refetch } = useQuery({
    queryKey: ['help', language, INDEX],
    queryFn: () => loadHelpIndex(language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorState title={t('help.failed')} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <h2 className={classes.title}>{t('help.title')}</h2>
      {isFallback ? <p className={classes.none}>{t('help.none')}</p> : null}
      {data ? (
        <ul className={classes.index}>
          {data.map(({ key, title }) => (
            <li key={key}>
              <button type="button" className={classes.entry} onClick={() => onOpen(key)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <LinesSkeleton lines={9} />
      )}
    </>
  );
}
