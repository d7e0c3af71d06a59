import { useQuery } from '@tanstack/react-query';
import { entitiesQuery } from '../../app/entity-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import classes from './entity-detail.module.css';

/** What an entity lies in: every site has an Inverter 1. */
export function EntityDetail({ id }: { id: string }) {
  const { data = [] } = useQuery(entitiesQuery(useWorkgroup()));
  const parent = data.find(({ _id }) => _id === id)?.parent;
  const name = data.find(({ _id }) => _id === parent)?.name;
  return name === undefined ? null : <span className={classes.parent}>{name}</span>;
}
