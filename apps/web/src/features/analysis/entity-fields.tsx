import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { Offered } from '@albedo/contract/entities/entity-streams';
import { FIELD_ROLE_NAMES, type FieldRole, unitOfRole } from '@albedo/contract/field-roles/field-roles';
import { Checkbox, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldName } from '../../app/series/field-name.ts';
import { Opener } from '../../app/series/picker-frame.tsx';
import classes from '../../app/series/source-list.module.css';
import { analysisLineToText, type EntityLine } from './analysis-lines.ts';
import own from './entity-fields.module.css';
import { canBeOne, nameOfPart } from './entity-lines.ts';
import { eachOf } from './entity-search.ts';
import type { PickedTree } from './picked-tree.ts';

interface EntityFieldsProps {
  entity: Entity;
  offered: Offered;
  tree: PickedTree;
  /** Words that the name of a field must have. */
  left: readonly string[];
}

/** What an entity measures: first by what it means, then every field by its name. */
export function EntityFields({ entity, offered, tree, left }: EntityFieldsProps) {
  const { t } = useTranslation();
  const { opened, chosen } = tree;
  const has = (...names: string[]) =>
    left.every((word) => names.some((name) => name.toLowerCase().includes(word)));
  const rows = [...offered.roles]
    .map(([role, { count, kinds }]): FieldRowFacts & { role: FieldRole } => ({
      ...{ role, line: { entity: entity._id, role }, units: unitOfRole(role), count },
      isWhole: count < 2 || canBeOne(role, kinds),
    }))
    .filter(({ line }) => has(nameOfPart(line)))
    .toSorted((a, b) => placeOf(a.role) - placeOf(b.role));
  const isTicked = ({ line }: FieldRowFacts) => chosen.has(analysisLineToText(line));
  const first = rows.filter((row, place) => place < FIRST_ROLES || left.length > 0 || isTicked(row));
  const others = rows.filter((row) => !first.includes(row));
  const fields = offered.fields
    .filter(({ table, field }) => has(table, field, fieldName(field)))
    .map(({ table, field, units, count }) => ({
      ...{ line: { entity: entity._id, table, field }, units, count, isWhole: true },
    }));
  const key = `${entity._id}\nfields`;
  const ticked = fields.filter(isTicked).length;
  const isOpen = opened.isOpen(key, ticked > 0 || (left.length > 0 && rows.length === 0));
  return (
    <>
      {first.map((row) => (
        <FieldRow key={row.role} {...row} tree={tree} />
      ))}
      {fields.length > 0 ? (
        <Opener isOpen={isOpen} onToggle={() => opened.set([key], !isOpen)} count={ticked}>
          {t('analysis.entities.moreFields', { count: others.length + fields.length })}
        </Opener>
      ) : null}
      {isOpen ? (
        <>
          {others.map((row) => (
            <FieldRow key={row.role} {...row} tree={tree} />
          ))}
          {[...Map.groupBy(fields, ({ line }) => line.table)].map(([table, members]) => (
            <section key={table} aria-label={table}>
              <h2 className={classes.table}>{fieldName(table)}</h2>
              {members.map((one) => (
                <FieldRow key={one.line.field} {...one} tree={tree} />
              ))}
            </section>
          ))}
        </>
      ) : null}
    </>
  );
}

/** What people look at first; of these an open entity shows a few, so that what stands below it stays in sight. */
const ORDER: readonly FieldRole[] = [
  ...(['acPower', 'energyToday', 'energyTotal', 'irradiancePoa', 'moduleTemperature', 'gridPower'] as const),
  ...(['loadPower', 'batteryPower', 'stateOfCharge', 'deviceTemperature', 'state'] as const),
];
const FIRST_ROLES = 6;

const placeOf = (role: FieldRole): number => {
  const place = ORDER.indexOf(role);
  return place >= 0 ? place : ORDER.length + FIELD_ROLE_NAMES.indexOf(role);
};

interface FieldRowFacts {
  line: EntityLine;
  units: string | null;
  /** Streams that it is made of. */
  count: number;
  /** They can be one line. */
  isWhole: boolean;
}

function FieldRow({ line, units, count, isWhole, tree }: FieldRowFacts & { tree: PickedTree }) {
  const { t } = useTranslation();
  const { chosen, isFull, toggle } = tree;
  const isChosen = chosen.has(analysisLineToText(line));
  const name = nameOfPart(line);
  return (
    <div className={classes.field}>
      {isWhole ? (
        <Checkbox
          size="xs"
          label={
            <>
              <span title={'field' in line ? line.field : undefined}>{name}</span>{' '}
              <span className={classes.units}>
                {[units, count > 1 ? t('analysis.entities.ofStreams', { count }) : '']
                  .filter(Boolean)
                  .join(' ')}
              </span>
            </>
          }
          checked={isChosen}
          disabled={isFull && !isChosen}
          onChange={() => toggle(line)}
        />
      ) : (
        <span className={own.name}>{name}</span>
      )}
      {count > 1 ? <EachMenu line={line} name={name} tree={tree} /> : null}
    </div>
  );
}

/** Ticks the same of each part in place of all together. */
function EachMenu({ line, name, tree }: { line: EntityLine; name: string; tree: PickedTree }) {
  const { t } = useTranslation();
  const { entities, labels, add, isFull } = tree;
  return (
    <Menu position="bottom-end" shadow="none" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={classes.all}
          disabled={isFull}
          aria-label={t('analysis.entities.eachOf', { name })}
          title={t('analysis.entities.eachOf', { name })}
        >
          {t('analysis.entities.each')}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <EachItems line={line} tree={{ entities, labels }} onAdd={add} />
      </Menu.Dropdown>
    </Menu>
  );
}

interface EachItemsProps {
  line: EntityLine;
  tree: Pick<PickedTree, 'entities' | 'labels'>;
  onAdd: PickedTree['add'];
}

/** Drawn, and so looked for, only once the menu is open. */
function EachItems({ line, tree, onAdd }: EachItemsProps) {
  const { t } = useTranslation();
  return eachOf(tree.entities, tree.labels, line).map(({ label, lines }) => (
    <Menu.Item key={label ?? ''} onClick={() => onAdd(lines)}>
      {label === null
        ? t('analysis.entities.eachBelow', { count: lines.length })
        : t('analysis.entities.eachLabel', { label, count: lines.length })}
    </Menu.Item>
  ));
}
