import type { BoardAnswer, BoardQuestionInput } from '@albedo/contract/boards/answers.schema';
import { boardsApi } from '@albedo/contract/boards/boards.api';
import { call } from '../../app/call.ts';
import { isLive, requestEach } from '../../app/socket.ts';

/** Widgets that come into sight within this time are one question, ms. */
const TOGETHER_MS = 25;
/** Questions of one call. */
const MOST = 60;

/** The answer of one question. Errors: what the server says of this question, or that it could not be reached. */
export type Ask = (question: BoardQuestionInput, signal: AbortSignal) => Promise<BoardAnswer>;

type Answer = { [K in keyof BoardAnswer]?: BoardAnswer[K] | undefined };

/** Asks the server; `isWanted` turns false once nobody waits for any of the answers. */
export type SendQuestions = (
  questions: BoardQuestionInput[],
  take: (answer: Answer) => void,
  isWanted: () => boolean,
) => Promise<void>;

interface Waiting {
  question: BoardQuestionInput;
  resolve: (answer: BoardAnswer) => void;
  reject: (error: Error) => void;
}

/**
 * Gathers the questions of a board: they travel together, and each answer comes by itself, so that a slow one keeps no
 * other waiting.
 */
export function askTogether(send: SendQuestions): Ask {
  let waiting: Set<Waiting>[] = [];
  const sendAll = () => {
    const batches = waiting;
    waiting = [];
    for (const batch of batches) if (batch.size > 0) void sendBatch(send, batch);
  };
  return (question, signal) =>
    new Promise((resolve, reject) => {
      const one = { question, resolve, reject };
      if (waiting.length === 0) setTimeout(sendAll, TOGETHER_MS);
      const last = waiting.at(-1);
      const batch = last && last.size < MOST ? last : new Set<Waiting>();
      if (batch !== last) waiting.push(batch);
      batch.add(one);
      signal.addEventListener(
        'abort',
        () => {
          batch.delete(one);
          reject(new Error('Aborted'));
        },
        { once: true },
      );
    });
}

async function sendBatch(send: SendQuestions, batch: Set<Waiting>): Promise<void> {
  const all = [...batch];
  // Two widgets may ask the same thing.
  const questions = all.map(({ question }, at) => ({ ...question, id: String(at) }));
  const take = (answer: Answer) => {
    const one = all[Number(answer.id)];
    if (!one || !batch.delete(one)) return;
    if (answer.error) one.reject(new Error(answer.error.message));
    else one.resolve(answer as BoardAnswer);
  };
  let failure = new Error('No answer');
  try {
    await send(questions, take, () => batch.size > 0);
  } catch (error) {
    failure = error as Error;
  }
  for (const { reject } of batch) reject(failure);
}

/** Asks as a member of the workgroup: by the socket, or by a call as long as there is none, also for what it cut off. */
export const askAsMember = (wg: string): Ask =>
  askTogether(async (questions, take) => {
    const open = new Map(questions.map((question) => [question.id, question]));
    if (isLive())
      try {
        return await requestEach('board:ask', { questions }, (answer: Answer) => {
          open.delete(String(answer.id));
          take(answer);
        });
      } catch (error) {
        if (isLive()) throw error;
      }
    const body = { questions: [...open.values()] };
    for (const answer of await call(boardsApi.answers, { params: { wg }, body })) take(answer);
  });
