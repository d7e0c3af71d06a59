import type { ErrorCatalog } from '../http/catalogs.ts';

export const approvalsErrors = {
  'approval.needed': {
    status: 403,
    text: 'This workgroup asks for the approval of a second person first. Once they approved, there are 15 minutes to open it.',
  },
  'approval.own': { status: 403, text: 'Somebody else has to approve what you asked for.' },
  'approval.not_found': { status: 404, text: 'There is no such request.' },
  'approval.over': {
    status: 409,
    text: 'This request was decided or withdrawn before, or its time is over.',
  },
  'approval.owners_only': { status: 403, text: 'Only an owner can change whether approvals are needed.' },
} as const satisfies ErrorCatalog;
