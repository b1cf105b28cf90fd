/** So many refusals of what is tried on all the same are a person's business (D109). */
export const rejectionsBeforeWorkItem = 3;

/** A caller retries after these statuses as it does after 5xx: the receiver has not judged the request. */
export const retriedStatuses: readonly number[] = [408, 425, 429];

/**
 * Whether a receiver rejects what it was sent (D109). A conflict may pass by itself, so 409 is no rejection here.
 * @param status null without an answer
 */
export const isRejection = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !retriedStatuses.includes(status) && status !== 409;
