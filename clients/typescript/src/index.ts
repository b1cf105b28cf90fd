export { type CallOptions, type ClientOptions, type RawAnswer, ServiceClient } from './client.js';
export type { FailureOf, Method, RequestOf, ServiceName, Success } from './contracts.js';
export { isRefusal, NoAnswer, Refusal } from './errors.js';
export {
  ApprovalFailed,
  type ApproveRequest,
  type ClientEvent,
  type EventType,
  type FollowOptions,
  Orchestrator,
  type PipelineResult,
  type Run,
} from './orchestrator.js';
export {
  type Callback,
  type Delivery,
  type Reason,
  type Received,
  type ScriptrailEvent,
  standardSecret,
  type Verified,
  verifyCallback,
  verifyDelivery,
  verifyEvent,
  type VerifyOptions,
} from './receive.js';
export { type ApiKey, signedHeaders } from './sign.js';
