import { member } from '../access/access.ts';
import type { SocketAction } from '../sockets/action.ts';
import { boardAnswer, boardQuestions } from './answers.schema.ts';

export const boardsActions = {
  'board:ask': {
    access: member,
    summary: 'As the endpoint answers of dashboards, one reply for each question, as soon as it is there.',
    request: boardQuestions,
    reply: boardAnswer.partial({ id: true }),
    timeoutMs: 120_000,
    isQuery: true,
  },
} as const satisfies Record<string, SocketAction>;
