import { first, type Queryable } from '../client.js';

/** Reads the fields of an order that a person needs, in one statement. */
export interface OrderFacts {
  pharmacy: string;
  /** JSON as received. */
  requestPayload: string;
  /** The message of the newest hold that is open. */
  question: string | null;
  callbackUrl: string;
  /** The last attempt of a callback that nobody took. */
  lastError: string | null;
  status: string;
  trackingNumber: string | null;
  carrier: string | null;
}

export const findOrderFacts = (sql: Queryable, submissionId: string) =>
  first(sql<OrderFacts[]>`
    select pharmacy, request_payload, callback_url, status, tracking_number, carrier,
      (
        select message from router.hold
        where hold.submission_id = submission.id and state <> 'released' and code is not null
        order by position desc limit 1
      ) as question,
      (
        select coalesce(error, 'The receiver answered ' || attempt.status)
        from router.callback
        join router.callback_attempt attempt on attempt.callback_id = callback.id
        where callback.submission_id = submission.id and callback.state = 'dead'
        order by attempt.at desc limit 1
      ) as last_error
    from router.submission
    where id = ${submissionId}
  `);
