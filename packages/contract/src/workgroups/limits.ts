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
  lookupTables: 100,
} as const;
