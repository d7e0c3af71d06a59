import { Tabs } from '@mantine/core';
import { useCallback, useEffect, useRef } from 'react';
import edge from './edges.module.css';
import classes from './tab-list.module.css';
import { useEdges } from './use-edges.ts';

interface TabListProps {
  tabs: readonly { id: string; title: string }[];
  /** Id of the tab that is chosen. */
  shown: string | null;
}

/**
 * The titles of tabs in one line. Where it is wider than the screen it moves sideways, which a shade at its end says, and
 * the chosen one is in sight.
 */
export function TabList({ tabs, shown }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  const edges = useEdges<HTMLDivElement>();
  const take = useCallback(
    (element: HTMLDivElement | null) => {
      list.current = element;
      return edges(element);
    },
    [edges],
  );
  const at = tabs.findIndex(({ id }) => id === shown);
  const titles = tabs.map(({ title }) => title).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other titles move the chosen one.
  useEffect(() => {
    const reveal = () => list.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    reveal();
    // Titles have another width once their own typeface is there.
    void document.fonts?.ready.then(reveal);
    // A phone that is turned has room for fewer of them. What has left the screen upwards is not called back.
    const sizes = new ResizeObserver(() => {
      if ((list.current?.getBoundingClientRect().top ?? -1) >= 0) reveal();
    });
    if (list.current) sizes.observe(list.current);
    return () => sizes.disconnect();
  }, [at, titles]);
  return (
    <div className={edge.edges}>
      <Tabs.List ref={take} className={classes.list ?? ''}>
        {tabs.map(({ id, title }) => (
          <Tabs.Tab key={id} value={id}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </div>
  );
}
