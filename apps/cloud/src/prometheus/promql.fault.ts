/** Why a query cannot be answered, in the words of Prometheus' API: `bad_data` is the query's fault, `execution` its size. */
export class PromqlFault extends Error {
  readonly type: 'bad_data' | 'execution';

  constructor(message: string, type: 'bad_data' | 'execution' = 'bad_data') {
    super(message);
    this.type = type;
  }
}
