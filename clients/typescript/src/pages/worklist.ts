/** Made of the OpenAPI page by npm run pages. */
export interface paths {
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
    "/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The work items of tasks and submissions, without who answered them */
        post: operations["listItemsOfTimeline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/otp/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a code
         * @description Handed on to the organization service, whose answer it is.
         */
        post: operations["checkOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/otp/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a code for signing in mailed
         * @description Handed on to the organization service, whose answer it is.
         */
        post: operations["sendOtp"];
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
    "/v1/stuck-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs whose step has been tried in vain for over five minutes
         * @description The same in the Web UI: `RxStuck is not null`.
         */
        get: operations["listStuckRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/timeline/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to a task, by time
         * @description As the orchestrator tells it; while it is away, the work items and a gap.
         */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What waits for a person, open ones first by when they are due */
        get: operations["listWorkItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work-items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One work item with its history */
        get: operations["getWorkItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work-items/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer an open work item
         * @description The service whose item it is does what the answer says. The same answer by the same person joins; of two people one is answered 409.
         */
        post: operations["answerWorkItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work-items/{id}/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Note something beside a work item */
        post: operations["noteWorkItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work-items/{id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put an open work item off */
        post: operations["snoozeWorkItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work-items/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many are open and how many of them overdue, by kind */
        get: operations["listWorkItemCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        GivenAnswer: {
            answer: string;
            data?: {
                [key: string]: unknown;
            };
            note?: string;
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
        ItemsTimelineRequest: {
            submissionIds: string[];
            taskIds: string[];
        };
        NewNote: {
            note: string;
        };
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ok" | "failed";
        };
        Snoozing: {
            /** Format: date-time */
            until: string;
        };
        StuckRun: {
            /** @description Null while a try is under way */
            nextTryAt: string | null;
            pharmacy: string | null;
            runUrl: string | null;
            /** Format: date-time */
            since: string;
            /** @description A step of the pipeline, else the activity */
            step: string;
            submissionId: string | null;
            taskId: string | null;
            workflow: string;
            workflowId: string;
        };
        Timeline: {
            entries: components["schemas"]["TimelineEntry"][];
            taskId: string;
        };
        TimelineEntry: {
            /** Format: date-time */
            at: string;
            /**
             * @description `gap`: this service did not tell its part
             * @enum {string}
             */
            kind: "run" | "step" | "order" | "pharmacy" | "hold" | "callback" | "charge" | "refund" | "shipment" | "message" | "refill" | "work_item" | "cancellation" | "gap";
            /** @description The run in the Web UI */
            link: string | null;
            /** @description Who tells of it, such as `router` */
            service: string;
            state: string | null;
            text: string;
        };
        TimelinePart: {
            entries: components["schemas"]["TimelineEntry"][];
        };
        WorkItem: {
            answer: string | null;
            /** @description What may be answered */
            answers: string[];
            closedAt: string | null;
            /** @description A person's e-mail address, or `system` */
            closedBy: string | null;
            /** Format: date-time */
            dueAt: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "pharmacy_hold" | "order_unknown" | "order_silent" | "cancellation_unanswered" | "approval_failed" | "payment_unpaid" | "charge_disputed" | "refund_failed" | "shipment_failed" | "callback_dead" | "event_dead" | "emr_sync_failed" | "orphan_patient" | "intake_unplaced" | "identity_mismatch" | "domain_unverified" | "patient_incomplete";
            /** Format: date-time */
            openedAt: string;
            organizationId: string | null;
            /** @description Coded: a word */
            reason: string;
            /** @description Ids by what they are of, such as `taskId` */
            references: {
                [key: string]: string;
            };
            /** @description The run that waits or failed, in the Web UI */
            runUrl: string | null;
            /** @enum {string} */
            state: "open" | "snoozed" | "closed";
            title: string;
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
    listItemsOfTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemsTimelineRequest"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelinePart"];
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
    checkOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
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
    sendOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
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
    listStuckRuns: {
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
                    /**
                     * @example {
                     *       "stuckRuns": [
                     *         {
                     *           "workflowId": "callbacks:6ab91ac3-be09-56ba-887f-0dbae7a513a5",
                     *           "workflow": "deliverCallbacks",
                     *           "step": "deliverCallback",
                     *           "since": "2026-11-23T11:26:48.023Z",
                     *           "nextTryAt": "2026-11-23T11:34:25.947Z",
                     *           "taskId": null,
                     *           "submissionId": "6ab91ac3-be09-56ba-887f-0dbae7a513a5",
                     *           "pharmacy": null,
                     *           "runUrl": "http://127.0.0.1:11234/namespaces/default/workflows/callbacks%3A6ab91ac3-be09-56ba-887f-0dbae7a513a5"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        stuckRuns: components["schemas"]["StuckRun"][];
                        /** @description How many there are; up to 200 are listed */
                        total: number;
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
    getTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The approval system’s task */
                taskId: string;
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
                    /**
                     * @example {
                     *       "taskId": "test-20a7cee2-5080-4f09-9f5d-ad1e77e991b6",
                     *       "entries": [
                     *         {
                     *           "at": "2026-11-23T11:26:50.016Z",
                     *           "service": "orchestrator",
                     *           "kind": "run",
                     *           "text": "Approval of semaglutide",
                     *           "state": "completed",
                     *           "link": "http://127.0.0.1:11234/namespaces/default/workflows/approval%3Atest-20a7cee2-5080-4f09-9f5d-ad1e77e991b6"
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.016Z",
                     *           "service": "orchestrator",
                     *           "kind": "step",
                     *           "text": "1/7 Medication configuration",
                     *           "state": "completed",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.042Z",
                     *           "service": "orchestrator",
                     *           "kind": "step",
                     *           "text": "2/7 Find patient in EMR",
                     *           "state": "completed",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.063Z",
                     *           "service": "orchestrator",
                     *           "kind": "step",
                     *           "text": "3/7 Choose prescriber",
                     *           "state": "completed",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.140Z",
                     *           "service": "router",
                     *           "kind": "order",
                     *           "text": "Order 62ed6978-3d6a-5327-9bbb-3565646b78c6 for pharmacy_a",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.197Z",
                     *           "service": "router",
                     *           "kind": "pharmacy",
                     *           "text": "pharmacy_a has taken the order",
                     *           "state": "submitted",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.252Z",
                     *           "service": "orchestrator",
                     *           "kind": "step",
                     *           "text": "4/7 Submit to pharmacy",
                     *           "state": "completed",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.287Z",
                     *           "service": "orchestrator",
                     *           "kind": "step",
                     *           "text": "5/7 Charge saved card",
                     *           "state": "completed",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.287Z",
                     *           "service": "orchestrator",
                     *           "kind": "step",
                     *           "text": "6/7 Create shipment",
                     *           "state": "completed",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.288Z",
                     *           "service": "orchestrator",
                     *           "kind": "charge",
                     *           "text": "Charge 1: 299.00 USD",
                     *           "state": "succeeded",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.311Z",
                     *           "service": "orchestrator",
                     *           "kind": "shipment",
                     *           "text": "Shipment",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.426Z",
                     *           "service": "notification",
                     *           "kind": "message",
                     *           "text": "prescription_approved, email sent, sms sent",
                     *           "state": "sent",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.438Z",
                     *           "service": "orchestrator",
                     *           "kind": "step",
                     *           "text": "7/7 Notify patient",
                     *           "state": "completed",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.453Z",
                     *           "service": "orchestrator",
                     *           "kind": "refill",
                     *           "text": "Refills of semaglutide: 0 of 3 sent, the next on 2026-12-20",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.619Z",
                     *           "service": "router",
                     *           "kind": "cancellation",
                     *           "text": "pharmacy_a was asked to cancel",
                     *           "state": "approved",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.703Z",
                     *           "service": "router",
                     *           "kind": "pharmacy",
                     *           "text": "pharmacy_a says cancelled",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.767Z",
                     *           "service": "router",
                     *           "kind": "callback",
                     *           "text": "Callback of kind update, 1 attempt",
                     *           "state": "delivered",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.862Z",
                     *           "service": "orchestrator",
                     *           "kind": "order",
                     *           "text": "Moved to pharmacy_b under the reference test-20a7cee2-5080-4f09-9f5d-ad1e77e991b6#2",
                     *           "state": null,
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:50.943Z",
                     *           "service": "orchestrator",
                     *           "kind": "shipment",
                     *           "text": "Shipment cancelled",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.007Z",
                     *           "service": "router",
                     *           "kind": "order",
                     *           "text": "Order 6dd0e93a-36d4-5d10-a7dd-31f87ac1abfd for pharmacy_b",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.069Z",
                     *           "service": "router",
                     *           "kind": "pharmacy",
                     *           "text": "pharmacy_b has taken the order",
                     *           "state": "submitted",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.112Z",
                     *           "service": "orchestrator",
                     *           "kind": "run",
                     *           "text": "Approval of semaglutide: ended",
                     *           "state": "completed",
                     *           "link": "http://127.0.0.1:11234/namespaces/default/workflows/approval%3Atest-20a7cee2-5080-4f09-9f5d-ad1e77e991b6"
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.154Z",
                     *           "service": "orchestrator",
                     *           "kind": "shipment",
                     *           "text": "Shipment",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.238Z",
                     *           "service": "orchestrator",
                     *           "kind": "cancellation",
                     *           "text": "The approval is taken back",
                     *           "state": "approved",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.306Z",
                     *           "service": "router",
                     *           "kind": "cancellation",
                     *           "text": "pharmacy_b was asked to cancel",
                     *           "state": "approved",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.633Z",
                     *           "service": "router",
                     *           "kind": "pharmacy",
                     *           "text": "pharmacy_b says cancelled",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.749Z",
                     *           "service": "router",
                     *           "kind": "callback",
                     *           "text": "Callback of kind update, 1 attempt",
                     *           "state": "delivered",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:51.860Z",
                     *           "service": "orchestrator",
                     *           "kind": "shipment",
                     *           "text": "Shipment cancelled",
                     *           "state": "cancelled",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:52.032Z",
                     *           "service": "orchestrator",
                     *           "kind": "refund",
                     *           "text": "Refunded 299.00 USD",
                     *           "state": "succeeded",
                     *           "link": null
                     *         },
                     *         {
                     *           "at": "2026-11-23T11:26:52.034Z",
                     *           "service": "notification",
                     *           "kind": "message",
                     *           "text": "order_canceled, email sent, sms skipped",
                     *           "state": "sent",
                     *           "link": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Timeline"];
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
    listWorkItems: {
        parameters: {
            query?: {
                cursor?: string;
                kind?: "pharmacy_hold" | "order_unknown" | "order_silent" | "cancellation_unanswered" | "approval_failed" | "payment_unpaid" | "charge_disputed" | "refund_failed" | "shipment_failed" | "callback_dead" | "event_dead" | "emr_sync_failed" | "orphan_patient" | "intake_unplaced" | "identity_mismatch" | "domain_unverified" | "patient_incomplete";
                limit?: number;
                organizationId?: string;
                overdue?: "true" | "false";
                state?: "open" | "snoozed" | "closed";
                taskId?: string;
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
                     *       "workItems": [
                     *         {
                     *           "id": "673cbdce-3722-4c21-b601-55e7966fb794",
                     *           "kind": "domain_unverified",
                     *           "reason": "no_record",
                     *           "title": "A custom domain was not verified",
                     *           "references": {
                     *             "domainId": "b2ac978b-3022-4de7-a0c8-03657dcf5468"
                     *           },
                     *           "organizationId": "907e8012-a993-408a-81a7-25adcbcc1c8f",
                     *           "state": "open",
                     *           "answers": [
                     *             "verify",
                     *             "dismiss"
                     *           ],
                     *           "openedAt": "2026-11-23T11:26:49.095Z",
                     *           "dueAt": "2026-11-24T11:26:49.095Z",
                     *           "closedAt": null,
                     *           "closedBy": null,
                     *           "answer": null,
                     *           "runUrl": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        nextCursor: string | null;
                        workItems: components["schemas"]["WorkItem"][];
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
    getWorkItem: {
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
                    /**
                     * @example {
                     *       "workItem": {
                     *         "id": "673cbdce-3722-4c21-b601-55e7966fb794",
                     *         "kind": "domain_unverified",
                     *         "reason": "no_record",
                     *         "title": "A custom domain was not verified",
                     *         "references": {
                     *           "domainId": "b2ac978b-3022-4de7-a0c8-03657dcf5468"
                     *         },
                     *         "organizationId": "907e8012-a993-408a-81a7-25adcbcc1c8f",
                     *         "state": "open",
                     *         "answers": [
                     *           "verify",
                     *           "dismiss"
                     *         ],
                     *         "openedAt": "2026-11-23T11:26:49.095Z",
                     *         "dueAt": "2026-11-24T11:26:49.095Z",
                     *         "closedAt": null,
                     *         "closedBy": null,
                     *         "answer": null,
                     *         "runUrl": null
                     *       },
                     *       "history": [
                     *         {
                     *           "at": "2026-11-23T11:26:49.247Z",
                     *           "actor": "system",
                     *           "action": "opened",
                     *           "note": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        history: {
                            action: string;
                            actor: string;
                            /** Format: date-time */
                            at: string;
                            note: string | null;
                        }[];
                        workItem: components["schemas"]["WorkItem"];
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
                /**
                 * @example {
                 *       "answer": "dismiss"
                 *     }
                 */
                "application/json": components["schemas"]["GivenAnswer"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workItem": {
                     *         "id": "673cbdce-3722-4c21-b601-55e7966fb794",
                     *         "kind": "domain_unverified",
                     *         "reason": "no_record",
                     *         "title": "A custom domain was not verified",
                     *         "references": {
                     *           "domainId": "b2ac978b-3022-4de7-a0c8-03657dcf5468"
                     *         },
                     *         "organizationId": "907e8012-a993-408a-81a7-25adcbcc1c8f",
                     *         "state": "closed",
                     *         "answers": [
                     *           "verify",
                     *           "dismiss"
                     *         ],
                     *         "openedAt": "2026-11-23T11:26:49.095Z",
                     *         "dueAt": "2026-11-24T11:26:49.095Z",
                     *         "closedAt": "2026-11-23T11:26:49.699Z",
                     *         "closedBy": "root@scriptrail.test",
                     *         "answer": "dismiss",
                     *         "runUrl": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        workItem: components["schemas"]["WorkItem"];
                    };
                };
            };
            /** @description It is on its way and takes longer than 10 s */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workItem: components["schemas"]["WorkItem"];
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
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    noteWorkItem: {
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
                /**
                 * @example {
                 *       "note": "Asked the owner of the domain."
                 *     }
                 */
                "application/json": components["schemas"]["NewNote"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workItem": {
                     *         "id": "673cbdce-3722-4c21-b601-55e7966fb794",
                     *         "kind": "domain_unverified",
                     *         "reason": "no_record",
                     *         "title": "A custom domain was not verified",
                     *         "references": {
                     *           "domainId": "b2ac978b-3022-4de7-a0c8-03657dcf5468"
                     *         },
                     *         "organizationId": "907e8012-a993-408a-81a7-25adcbcc1c8f",
                     *         "state": "open",
                     *         "answers": [
                     *           "verify",
                     *           "dismiss"
                     *         ],
                     *         "openedAt": "2026-11-23T11:26:49.095Z",
                     *         "dueAt": "2026-11-24T11:26:49.095Z",
                     *         "closedAt": null,
                     *         "closedBy": null,
                     *         "answer": null,
                     *         "runUrl": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        workItem: components["schemas"]["WorkItem"];
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
    snoozeWorkItem: {
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
                /**
                 * @example {
                 *       "until": "2026-11-24T11:26:49.443Z"
                 *     }
                 */
                "application/json": components["schemas"]["Snoozing"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workItem": {
                     *         "id": "673cbdce-3722-4c21-b601-55e7966fb794",
                     *         "kind": "domain_unverified",
                     *         "reason": "no_record",
                     *         "title": "A custom domain was not verified",
                     *         "references": {
                     *           "domainId": "b2ac978b-3022-4de7-a0c8-03657dcf5468"
                     *         },
                     *         "organizationId": "907e8012-a993-408a-81a7-25adcbcc1c8f",
                     *         "state": "snoozed",
                     *         "answers": [
                     *           "verify",
                     *           "dismiss"
                     *         ],
                     *         "openedAt": "2026-11-23T11:26:49.095Z",
                     *         "dueAt": "2026-11-24T11:26:49.095Z",
                     *         "closedAt": null,
                     *         "closedBy": null,
                     *         "answer": null,
                     *         "runUrl": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        workItem: components["schemas"]["WorkItem"];
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
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    listWorkItemCounts: {
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
                    /**
                     * @example {
                     *       "counts": [
                     *         {
                     *           "kind": "domain_unverified",
                     *           "open": 1,
                     *           "overdue": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        counts: {
                            kind: string;
                            open: number;
                            overdue: number;
                        }[];
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
}
