/**
 * What one workgroup may have of each, far above what people need: so that nobody fills the memory in which these are
 * decided, or mails half the world. A few more may come about where several are made at the same instant.
 */
export const WORKGROUP_LIMITS = {
  /** Invitations without an answer, expired ones too. */
  invites: 500,
  /** API tokens that are good. */
  apiTokens: 500,
  roles: 200,
  accessRules: 1000,
  deviceGroups: 500,
  /** Dashboards of entities and labels. */
  boards: 1000,
  /** Widgets that dashboards share. */
  libraryWidgets: 500,
  /** Display links that are good. */
  displays: 500,
  /** Personal and shared ones. */
  formulae: 2000,
  entities: 20_000,
  externalSources: 200,
  /** Files of history that lie here. */
  historyImports: 20,
  lookupTables: 100,
  /** Personal and shared ones. */
  searches: 2000,
} as const;
