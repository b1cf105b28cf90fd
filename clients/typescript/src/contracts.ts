import type { paths as bridge } from './pages/bridge.js';
import type { paths as codec } from './pages/codec.js';
import type { paths as intake } from './pages/intake.js';
import type { paths as notification } from './pages/notification.js';
import type { paths as orchestrator } from './pages/orchestrator.js';
import type { paths as organization } from './pages/organization.js';
import type { paths as patients } from './pages/patients.js';
import type { paths as registry } from './pages/registry.js';
import type { paths as router } from './pages/router.js';
import type { paths as worklist } from './pages/worklist.js';

/** The services, each with the paths of its OpenAPI page. */
interface Services {
  bridge: bridge;
  codec: codec;
  intake: intake;
  notification: notification;
  orchestrator: orchestrator;
  organization: organization;
  patients: patients;
  registry: registry;
  router: router;
  worklist: worklist;
}
export type ServiceName = keyof Services;
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths of a service that take a method. */
export type PathOf<S extends ServiceName, M extends Method> = {
  [P in keyof Services[S] & string]: Services[S][P] extends Record<Lowercase<M>, { responses: object }>
    ? P
    : never;
}[keyof Services[S] & string];

type OperationOf<S extends ServiceName, M extends Method, P> = P extends keyof Services[S]
  ? Services[S][P] extends Record<Lowercase<M>, infer O>
    ? O
    : never
  : never;

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : unknown;
type AnswersOf<O> = O extends { responses: infer R } ? R : never;

/** Maps each member of a union of operations, so that the statuses of one do not hide those of another. */
type AsUnion<R> = R extends unknown
  ? { [S in keyof R & number]: { status: S; body: JsonOf<R[S]> } }[keyof R & number]
  : never;
type Succeeding = 200 | 201 | 202 | 204;

/** The success answers of an operation, discriminated by `status`. */
export type Success<S extends ServiceName, M extends Method, P> = Extract<
  AsUnion<AnswersOf<OperationOf<S, M, P>>>,
  { status: Succeeding }
>;

type FailureAt<S extends ServiceName, M extends Method, P> = Exclude<
  AsUnion<AnswersOf<OperationOf<S, M, P>>>,
  { status: Succeeding }
>;

/** The errors of all operations of a service, discriminated by `status`. */
export type FailureOf<S extends ServiceName> = {
  [M in Method]: { [P in PathOf<S, M>]: FailureAt<S, M, P> }[PathOf<S, M>];
}[Method];

type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { body?: B }
    : { body?: never };
type Part<O, Name extends string> = O extends { parameters: Record<Name, infer V> } ? V : never;
type PathPart<O> = [Part<O, 'path'>] extends [never] ? { path?: never } : { path: Part<O, 'path'> };
type QueryPart<O> = O extends { parameters: { query: infer Q } }
  ? { query: Q }
  : O extends { parameters: { query?: infer Q } }
    ? { query?: Q }
    : unknown;

/** The options of a call to an operation. */
export type RequestOf<S extends ServiceName, M extends Method, P> = BodyOf<OperationOf<S, M, P>> &
  PathPart<OperationOf<S, M, P>> &
  QueryPart<OperationOf<S, M, P>>;

/** The paths of a service that return a page of a list with a cursor. */
export type ListPathOf<S extends ServiceName> = {
  [P in PathOf<S, 'GET'>]: Success<S, 'GET', P> extends { body: { nextCursor: string | null } } ? P : never;
}[PathOf<S, 'GET'>];

/** The entry of such a list. */
export type EntryOf<S extends ServiceName, P> =
  Success<S, 'GET', P> extends { body: infer Body }
    ? { [K in keyof Body]: Body[K] extends readonly (infer Entry)[] ? Entry : never }[keyof Body]
    : never;
