import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What the ingest counts. */
export interface IngestMetrics {
  batches: Counter;
  bytes: Counter;
  events: Counter;
  points: Counter;
  repeats: Counter;
  reused: Counter;
  setAside: Counter;
  rubbish: Counter;
  refused: Counter;
  failures: Counter;
  queueBytes: Gauge;
  insertSeconds: Histogram;
  ackSeconds: Histogram;
}

export function ingestMetrics(registry: Registry): IngestMetrics {
  const registers = [registry];
  const counter = (name: string, help: string) =>
    new Counter({ name: `albedo_ingest_${name}_total`, help, registers });
  return {
    batches: counter('batches', 'Batches received.'),
    bytes: counter('bytes', 'Bytes of batches received, compressed.'),
    events: counter('events', 'Events stored.'),
    points: counter('points', 'Values stored, nulls left out.'),
    repeats: counter('repeats', 'Events that came with a number that is known: again, or another event.'),
    reused: counter(
      'reused',
      'Events that came with the number of another event and were stored under one of their own.',
    ),
    setAside: counter('set_aside', 'Events that could not be stored and were set aside.'),
    rubbish: counter('rubbish', 'Messages that are none of the contract.'),
    refused: counter('refused_batches', 'Batches refused because too much was waiting.'),
    failures: counter('insert_failures', 'Inserts that failed and were tried again.'),
    queueBytes: new Gauge({
      name: 'albedo_ingest_queue_bytes',
      help: 'Bytes of decoded batches that wait for the store.',
      registers,
    }),
    insertSeconds: new Histogram({
      name: 'albedo_ingest_insert_seconds',
      help: 'Time of one insert until it is durable.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    ackSeconds: new Histogram({
      name: 'albedo_ingest_ack_seconds',
      help: 'Time from the arrival of a batch to its acknowledgement.',
      buckets: [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 5, 10, 30, 60],
      registers,
    }),
  };
}
