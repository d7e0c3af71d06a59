import type { Entity } from '@albedo/contract/entities/entities.schema';
import { type Offered, offeredOf } from '@albedo/contract/entities/entity-streams';
import type { EntityLabel } from '@albedo/contract/entities/labels';
import { Box, Text } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import { Opener, PickerFrame } from '../../app/series/picker-frame.tsx';
import { useTreeSearch } from '../../app/series/use-opened.ts';
import { MOST_LINES } from './analysis-address.ts';
import { type AnalysisLine, analysisLineToText, type EntityLine, isOfEntity } from './analysis-lines.ts';
import type { PickerProps } from './analysis-view.tsx';
import { EntityFields } from './entity-fields.tsx';
import { type FoundEntity, findEntities, MOST_FOUND } from './entity-search.ts';
import type { PickedTree } from './picked-tree.ts';

interface EntityPickerProps extends PickerProps {
  entities: KnownWorld;
  labels: readonly EntityLabel[];
}

/** Below so few entities at the top these are open by themselves. */
const FEW = 3;

/** The tree of entities with what each of them measures, itself or together of what is below it, to tick. */
export function EntityPicker({ entities, labels, lines, onChange, children }: EntityPickerProps) {
  const { t } = useTranslation();
  const { search, opened, onSearch } = useTreeSearch();
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(
    () => (wanted === '' ? null : findEntities(entities, labels, wanted)),
    [entities, labels, wanted],
  );
  const roots = useMemo(
    () => entities.entities.filter(({ parent }) => parent === null || !entities.byId.has(parent)),
    [entities],
  );
  const chosen = useMemo(() => new Set(lines.map(analysisLineToText)), [lines]);
  const counts = useMemo(() => countsOf(entities, lines), [entities, lines]);
  const toggle = (line: EntityLine) => {
    const text = analysisLineToText(line);
    if (!chosen.has(text)) return onChange([...lines, line]);
    onChange(lines.filter((one) => analysisLineToText(one) !== text));
  };
  const add = (more: readonly EntityLine[]) => {
    const fresh = more.filter((line) => !chosen.has(analysisLineToText(line)));
    onChange([...lines, ...fresh].slice(0, MOST_LINES));
  };
  const isFull = lines.length >= MOST_LINES;
  const tree: PickedTree = { entities, labels, opened, counts, chosen, isFull, toggle, add };
  return (
    <PickerFrame
      label={t('analysis.entities.search')}
      search={search}
      onSearch={onSearch}
      count={lines.length}
      isFull={isFull}
      onClear={() => onChange([])}
    >
      {children}
      {found === null
        ? roots.map((one) => (
            <EntityNode key={one._id} entity={one} tree={tree} isFirst={roots.length <= FEW} />
          ))
        : found
            .slice(0, MOST_FOUND)
            .map((one) => (
              <FoundNode key={one.entity._id} found={one} tree={tree} isAlone={found.length <= FEW} />
            ))}
      {found !== null && found.length === 0 ? (
        <Text size="sm" c="dimmed" py={4}>
          {t('analysis.entities.nothingFound')}
        </Text>
      ) : null}
      {found !== null && found.length > MOST_FOUND ? (
        <Text size="sm" c="dimmed" py={4}>
          {t('analysis.entities.moreFound', { count: found.length - MOST_FOUND })}
        </Text>
      ) : null}
    </PickerFrame>
  );
}

interface EntityNodeProps {
  entity: Entity;
  tree: PickedTree;
  /** It is open by itself. */
  isFirst: boolean;
}

/** An entity of the tree with what it measures and what stands below it. */
function EntityNode({ entity, tree, isFirst }: EntityNodeProps) {
  const { entities, opened, counts } = tree;
  const { _id, name } = entity;
  const count = counts.get(_id) ?? 0;
  const isOpen = opened.isOpen(_id, isFirst || count > 0);
  const children = isOpen
    ? entities.world.childrenOf(_id).flatMap((one) => entities.byId.get(one._id) ?? [])
    : [];
  return (
    <section aria-label={name}>
      <Opener isTop isOpen={isOpen} onToggle={() => opened.set([_id], !isOpen)} count={count}>
        {name}
      </Opener>
      {isOpen ? (
        <Box pl={14}>
          <OfferedFields entity={entity} tree={tree} hasMore={children.length > 0} />
          {children.map((one) => (
            <EntityNode key={one._id} entity={one} tree={tree} isFirst={false} />
          ))}
        </Box>
      ) : null}
    </section>
  );
}

/** An entity that was looked for, with where it stands. */
function FoundNode({ found, tree, isAlone }: { found: FoundEntity; tree: PickedTree; isAlone: boolean }) {
  const { entity, path, left } = found;
  const { opened, counts } = tree;
  const isOpen = opened.isOpen(entity._id, isAlone || left.length > 0);
  return (
    <section aria-label={path}>
      <Opener
        isTop
        isOpen={isOpen}
        onToggle={() => opened.set([entity._id], !isOpen)}
        count={counts.get(entity._id) ?? 0}
      >
        {path}
      </Opener>
      {isOpen ? (
        <Box pl={14}>
          <OfferedFields entity={entity} tree={tree} left={left} />
        </Box>
      ) : null}
    </section>
  );
}

interface OfferedFieldsProps {
  entity: Entity;
  tree: PickedTree;
  /** Words that a field must have. */
  left?: readonly string[];
  /** Something stands below, so that an entity without fields is not empty. */
  hasMore?: boolean;
}

function OfferedFields({ entity, tree, left = [], hasMore = false }: OfferedFieldsProps) {
  const { t } = useTranslation();
  const { world } = tree.entities;
  const offered: Offered = useMemo(() => offeredOf(world, entity._id), [world, entity._id]);
  if (offered.fields.length > 0)
    return <EntityFields entity={entity} offered={offered} tree={tree} left={left} />;
  return hasMore ? null : (
    <Text size="sm" c="dimmed" py={4}>
      {t('analysis.entities.noFields')}
    </Text>
  );
}

/** How many lines are ticked of each entity and of all that stands below it. */
function countsOf({ byId }: KnownWorld, lines: readonly AnalysisLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines.filter(isOfEntity)) {
    const seen = new Set<string>();
    for (let one = byId.get(line.entity); one && !seen.has(one._id); one = byId.get(one.parent ?? '')) {
      seen.add(one._id);
      counts.set(one._id, (counts.get(one._id) ?? 0) + 1);
    }
  }
  return counts;
}
