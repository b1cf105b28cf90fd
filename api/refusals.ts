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

/**
 * A run whose end is not known, with the id it goes by under the service's own name for it; or our Temporal is away,
 * and there is no id. `Retry-After` says when the same request may find out.
 */
export const unfinished = z.looseObject({ error: z.string() }).meta({ id: 'Unfinished' });

/** `{error: code, message}`: the shape of the services that answer with codes (D5). */
export const codedRefusal = z.object({ error: z.string(), message: z.string() }).meta({ id: 'CodedRefusal' });
export const codedInvalid = codedRefusal
  .extend({ details: z.array(z.object({ path: z.string(), message: z.string() })).optional() })
  .meta({ id: 'CodedValidationRefusal' });

export const codedUnfinished = z
  .looseObject({ error: z.string(), message: z.string() })
  .meta({ id: 'CodedUnfinished' });

/** The shapes of some of these statuses, for a route's contract. */
const choosing =
  <Shapes extends Record<number, z.ZodType>>(shapes: Shapes) =>
  <S extends keyof Shapes>(...statuses: S[]) =>
    Object.fromEntries(statuses.map((status) => [status, shapes[status]])) as Pick<Shapes, S>;

/** The answers of a signed or an admin's route to these statuses, for its contract. */
export const signedErrors = choosing({
  400: invalid,
  401: refusal,
  403: refusal,
  404: refusal,
  409: refusal,
  413: refusal,
  415: refusal,
  429: refusal,
  500: internal,
  503: unfinished,
});

/** As `signedErrors`, of a service that answers with codes. */
export const codedErrors = choosing({
  400: codedInvalid,
  401: codedRefusal,
  403: codedRefusal,
  404: codedRefusal,
  409: codedRefusal,
  413: codedRefusal,
  415: codedRefusal,
  429: codedRefusal,
  500: internal,
  502: codedRefusal,
  503: codedUnfinished,
});
