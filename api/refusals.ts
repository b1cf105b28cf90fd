import { z } from 'zod';

/** `{error}`: the shape of every refusal (D5). */
export const refusal = z.object({ error: z.string() }).meta({ id: 'Refusal' });
/** A refused body or query, of services that list their issues. */
export const invalid = z
  .object({
    error: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'ValidationRefusal' });
export const internal = z.object({ error: z.string(), requestId: z.string() }).meta({ id: 'InternalError' });

const shapes = {
  400: invalid,
  401: refusal,
  403: refusal,
  404: refusal,
  409: refusal,
  413: refusal,
  415: refusal,
  429: refusal,
  500: internal,
};

/** The answers of a signed or an admin's route to these statuses, for its contract. */
export const signedErrors = <S extends keyof typeof shapes>(...statuses: S[]) =>
  Object.fromEntries(statuses.map((status) => [status, shapes[status]])) as Pick<typeof shapes, S>;
