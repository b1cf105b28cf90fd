/** Made of the OpenAPI page by npm run pages. */
export interface paths {
    "/admin/workers/emr-sync/tick": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One pass over everything that is due, now
         * @description Answers once each one has been tried, at the latest after 25 s, with how many were. No wait is shortened.
         */
        post: operations["tickEmrSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/workers/outbox/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a window of time again
         * @description Every event that happened in it, to all its consumers, delivered ones too, under the same id and in the old order per record; with `"state": "dead"` only what was given up in it (D97).
         */
        post: operations["redriveOutbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/workers/outbox/tick": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One pass over the outbox, now
         * @description The relay ships what is committed within moments by itself; this waits for one more pass.
         */
        post: operations["tickOutbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emr-sync-attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The sync attempts, newest first */
        get: operations["listEmrSyncAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emr-sync-attempts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One sync attempt */
        get: operations["getEmrSyncAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/emr-sync-attempts/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a failed or abandoned one again, with 24 h before it */
        post: operations["retryEmrSyncAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness */
        get: operations["getHealthToo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The webhooks of the EMR, newest first, without their bodies */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook with its body as received */
        get: operations["getWebhookEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/emr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a webhook of the EMR
         * @description Signed by `X-EMR-Signature`: the lower-case hex HMAC-SHA256 of the raw body. The body is `{event: "<Resource>.<action>", timestamp, resource}`; its content type is not judged.
         */
        post: operations["takeEmrWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/work-items/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person's answer to a work item of this service */
        post: operations["answerWorkItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something that happened, told to the event sink
         * @description CloudEvents 1.0, structured JSON; in order for each record, and at least once.
         */
        post: operations["event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AnswerDone: {
            reason: string | null;
            /** @enum {string} */
            state: "done" | "refused";
        };
        CloudEvent: {
            data: {
                organizationId: string | null;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            datacontenttype: "application/json";
            /** Format: uuid */
            id: string;
            /** @description `/scriptrail/` and the service */
            source: string;
            /** @enum {string} */
            specversion: "1.0";
            /** Format: date-time */
            time: string;
            /** @description `<noun>.<past participle>`, as `patient.created` */
            type: string;
        };
        CodedRefusal: {
            error: string;
            message: string;
        };
        CodedUnfinished: {
            error: string;
            message: string;
        } & {
            [key: string]: unknown;
        };
        CodedValidationRefusal: {
            details?: {
                message: string;
                path: string;
            }[];
            error: string;
            message: string;
        };
        Health: {
            service: string;
            /** @constant */
            status: "ok";
            timestamp: string;
        };
        InternalError: {
            error: string;
            requestId: string;
        };
        PersonsAnswer: {
            answer: string;
            by: string;
            /** @default {} */
            data: {
                [key: string]: unknown;
            };
        };
        Processed: {
            processed: number;
        };
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ok" | "failed";
        };
        RedriveWindow: {
            /**
             * Format: date-time
             * @description When the events happened, earliest; with `state`: when they were given up
             */
            from: string;
            /**
             * @description Only what was given up
             * @constant
             */
            state?: "dead";
            /**
             * Format: date-time
             * @description The same, latest
             */
            to: string;
        };
        SyncAttempt: {
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** @description The last HTTP status of the EMR */
            emr_response_status: number | null;
            /** Format: uuid */
            id: string;
            idempotency_key: string;
            internal_event_name: string;
            /** @description Class and short message */
            last_error: string | null;
            /** @description Whose patient it is; null: not known */
            organization_id: string | null;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "abandoned";
            target_resource_id: string;
            target_resource_type: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookEntry: {
            /** @description The event that was made of it; null where none was */
            dispatched_outbox_id: string | null;
            emr_event_name: string | null;
            emr_event_timestamp: string | null;
            /**
             * Format: date-time
             * @description Present where the body was overwritten with its patient
             */
            erasedAt?: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            received_at: string;
            resource_id: string | null;
            resource_type: string | null;
            signature_header: string | null;
            signature_valid: boolean;
            /**
             * @description Present where only the first 4 KiB of the body were kept
             * @constant
             */
            truncated?: true;
        };
        WebhookEvent: {
            /** @description The event that was made of it; null where none was */
            dispatched_outbox_id: string | null;
            emr_event_name: string | null;
            emr_event_timestamp: string | null;
            /**
             * Format: date-time
             * @description Present where the body was overwritten with its patient
             */
            erasedAt?: string;
            /** Format: uuid */
            id: string;
            /** @description As received: text where it is valid UTF-8 */
            raw_body: string;
            /**
             * @description Present where it is no text
             * @constant
             */
            raw_body_encoding?: "base64";
            /** Format: date-time */
            received_at: string;
            resource_id: string | null;
            resource_type: string | null;
            signature_header: string | null;
            signature_valid: boolean;
            /**
             * @description Present where only the first 4 KiB of the body were kept
             * @constant
             */
            truncated?: true;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    tickEmrSync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        processed: number;
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    redriveOutbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedriveWindow"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Processed"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    tickOutbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Processed"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description The pass has not been made yet */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    listEmrSyncAttempts: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description An internal event, such as `patient.archived` */
                event?: string;
                limit?: number;
                status?: "pending" | "succeeded" | "failed" | "abandoned";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "syncAttempts": [],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        nextCursor: string | null;
                        syncAttempts: components["schemas"]["SyncAttempt"][];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getEmrSyncAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        syncAttempt: components["schemas"]["SyncAttempt"];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    retryEmrSyncAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        syncAttempt: components["schemas"]["SyncAttempt"];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description It is pending or has succeeded */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getHealthToo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                cursor?: string;
                from?: string;
                limit?: number;
                resourceType?: string;
                to?: string;
                valid?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookEvents": [],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        nextCursor: string | null;
                        webhookEvents: components["schemas"]["WebhookEntry"][];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookEvent: components["schemas"]["WebhookEvent"];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    takeEmrWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        ok: true;
                        /** Format: uuid */
                        webhookEventId: string;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    answerWorkItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonsAnswer"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerDone"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedUnfinished"];
                };
            };
        };
    };
    event: {
        parameters: {
            query?: never;
            header: {
                /** @description As `X-Callback-Id` (Standard Webhooks) */
                "webhook-id": string;
                /** @description `v1,` and Base64 of the HMAC-SHA256 over `<id>.<timestamp>.<body>` */
                "webhook-signature": string;
                /** @description As `X-Timestamp`, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description The same with every attempt: by it a repeat is known */
                "X-Callback-Id": string;
                /** @description Lower-case hex HMAC-SHA256 with the secret over `<X-Timestamp>.<body>` */
                "X-Signature": string;
                /** @description When this attempt was signed, ISO 8601 */
                "X-Timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Received; any 2xx will do */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No more of these, ever */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: sent again, for 72 hours */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
