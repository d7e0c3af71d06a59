import { z } from 'zod';
import { searchQuery, searchResult } from '../telemetry/search.schema.ts';
import { SERIES_FUNCTIONS } from '../telemetry/series-functions.ts';
import {
  combinedSeries,
  seriesKey,
  seriesPoints,
  tableName,
  timeframe,
} from '../telemetry/telemetry.schema.ts';

/** Questions of one call, and series of one question. */
const ANSWER_LIMITS = { questions: 100, series: 300 } as const;

const ofSeries = timeframe.extend({
  id: z.string().min(1).max(200),
  kind: z.literal('series'),
  series: z.array(combinedSeries).min(1).max(ANSWER_LIMITS.series),
  maxPoints: z.number().int().min(2).max(20_000).default(500),
  interval: z.string().max(8).optional(),
  timezone: z.string().min(1).max(100).default('UTC'),
  function: z.enum(SERIES_FUNCTIONS).default('average'),
});
const ofSearch = z.object({
  id: z.string().min(1).max(200),
  kind: z.literal('search'),
  table: tableName,
  query: searchQuery.prefault({}),
});

const ofLast = z.object({
  id: z.string().min(1).max(200),
  kind: z.literal('last'),
  /** The newest values of each stream, so many. */
  streams: z.array(seriesKey).min(1).max(40),
  count: z.number().int().min(1).max(50).default(10),
});

const ofStates = timeframe.extend({
  id: z.string().min(1).max(200),
  kind: z.literal('states'),
  /** The last value of each interval, a number or words, of each stream. */
  streams: z.array(seriesKey).min(1).max(40),
  maxPoints: z.number().int().min(2).max(2000).default(500),
  timezone: z.string().min(1).max(100).default('UTC'),
});

/** What one widget wants to know. */
export const boardQuestion = z.discriminatedUnion('kind', [ofSeries, ofSearch, ofLast, ofStates]);
export type BoardQuestion = z.output<typeof boardQuestion>;
export type BoardQuestionInput = z.input<typeof boardQuestion>;
export type StatesQuestion = z.output<typeof ofStates>;
export type LastQuestion = z.output<typeof ofLast>;
export type SeriesQuestion = z.output<typeof ofSeries>;

export const boardQuestions = z.object({
  questions: z.array(boardQuestion).min(1).max(ANSWER_LIMITS.questions),
});

const stateValue = z.union([z.number(), z.string()]);
/** Instants at which intervals with a value begin, epoch ms and oldest first, and the last value of each. */
const statePoints = z.object({
  stepMs: z.number(),
  times: z.array(z.number()),
  values: z.array(stateValue),
});
export type StatePoints = z.output<typeof statePoints>;

/** What came of one question: points in the place of each series, records, or what failed, in words. */
export const boardAnswer = z.object({
  id: z.string(),
  points: z.array(seriesPoints).optional(),
  result: searchResult.optional(),
  /** In the place of each stream, the newest first; `at` is epoch ms. */
  values: z.array(z.array(z.object({ at: z.number(), value: z.union([z.number(), z.string()]) }))).optional(),
  /** In the place of each stream. */
  states: z.array(statePoints).optional(),
  error: z.object({ message: z.string(), error: z.string().optional() }).optional(),
});
export type BoardAnswer = z.infer<typeof boardAnswer>;
