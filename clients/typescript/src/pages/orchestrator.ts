/** Made of the OpenAPI page by npm run pages. */
export interface paths {
    "/api/pharmacy-router/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the router’s word on an order */
        post: operations["takeRouterCallback"];
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
    "/orchestrator/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a prescription and carry it through all seven steps
         * @description Answers when the run has ended. `Prefer: respond-async` answers 202 at once, as does a run that takes longer than two minutes. Repeating a completed approval gives its recorded answer with `Idempotent-Replayed: true`.
         */
        post: operations["approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deny a prescription and tell the patient if one is named */
        post: operations["deny"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/health": {
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
    "/orchestrator/payments/{taskId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Charge a task again whose charge has failed
         * @description Of a schedule’s task, the newest refill. A decline is answered 200 with status `failed`.
         */
        post: operations["retryPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/refill-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send every refill that is due
         * @description Answers when all are done. Checks may overlap: a refill is sent and charged once.
         */
        post: operations["checkRefills"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/refill-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Refill schedules, newest first */
        get: operations["listRefillSchedules"];
        put?: never;
        /**
         * Make a refill schedule
         * @description The same signed request again, byte for byte, gets the first answer with `Idempotent-Replayed: true`.
         */
        post: operations["createRefillSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/refill-schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One refill schedule */
        get: operations["getRefillSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/refill-schedules/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a schedule that is active or paused cancelled */
        post: operations["cancelRefillSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/refill-schedules/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a schedule that is active paused */
        post: operations["pauseRefillSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/refill-schedules/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a schedule that is paused active */
        post: operations["resumeRefillSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All runs, newest first */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/status/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All runs of a task, newest first, also while one is under way */
        get: operations["getStatus"];
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApprovalFailed: {
            error: string;
            /** @enum {string} */
            failedStep: "medication_config" | "patient_details" | "prescriber_resolution" | "pharmacy_submission" | "payment" | "shipment" | "notification";
            result: components["schemas"]["PipelineResult"];
        };
        ApproveRequest: {
            /** @description Directions in place of the default ones */
            dosage?: string;
            /** @description Id of the Patient in the EMR */
            emrPatientId: string;
            /** @description Key of the medication config, e.g. `semaglutide` */
            medication: string;
            /** @description The approval system’s task; approving it again gives the first answer */
            taskId: string;
        };
        DenyRequest: {
            /** @description Whom to tell; without it nobody is told */
            emrPatientId?: string;
            /** @description Told to the patient */
            reason?: string;
            /** @description The approval system’s task; approving it again gives the first answer */
            taskId: string;
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
        NewRefillSchedule: {
            /** @default 30 */
            daysSupply: number;
            /** @description Id of the Patient in the EMR */
            emrPatientId: string;
            /**
             * Format: date
             * @description Today where left out
             */
            lastFillDate?: string;
            /** @description Key of the medication config, e.g. `semaglutide` */
            medication: string;
            /**
             * Format: date
             * @description lastFillDate + daysSupply - 3 days where left out
             */
            nextFillDate?: string;
            /** @default 0 */
            refillsSent: number;
            totalRefillsAllowed: number;
        };
        OrchestrationRun: {
            completedSteps: string[];
            /** Format: date-time */
            createdAt: string;
            emrPatientId: string;
            error: string | null;
            failedStep: string | null;
            id: string;
            medication: string;
            result: components["schemas"]["PipelineResult"] | null;
            /** @enum {string} */
            status: "pending" | "completed" | "failed" | "denied";
            taskId: string;
            /** Format: date-time */
            updatedAt: string;
            warnings: string[];
        };
        PipelineResult: {
            completedSteps: ("medication_config" | "patient_details" | "prescriber_resolution" | "pharmacy_submission" | "payment" | "shipment" | "notification")[];
            error?: string;
            /** @enum {string} */
            failedStep?: "medication_config" | "patient_details" | "prescriber_resolution" | "pharmacy_submission" | "payment" | "shipment" | "notification";
            medication: string;
            patientName: string;
            state: string;
            submissionId?: string;
            success: boolean;
            warnings: ("payment_failed" | "shipment_failed" | "notification_failed")[];
        };
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ok" | "failed";
        };
        RefillSchedule: {
            /** Format: date-time */
            createdAt: string;
            daysSupply: number;
            dosage: string | null;
            emrPatientId: string;
            id: string;
            lastFillDate: string;
            medication: string;
            nextFillDate: string;
            refillsSent: number;
            /** @enum {string} */
            status: "active" | "paused" | "cancelled" | "completed";
            totalRefillsAllowed: number;
            /** Format: date-time */
            updatedAt: string;
        };
        Refusal: {
            error: string;
        };
        RequestedRun: {
            completedSteps: string[];
            /** Format: date-time */
            createdAt: string;
            emrPatientId: string;
            error: string | null;
            failedStep: string | null;
            id: string;
            medication: string;
            /** @description Id of the key that asked for it */
            requestedBy: string | null;
            result: components["schemas"]["PipelineResult"] | null;
            /** @enum {string} */
            status: "pending" | "completed" | "failed" | "denied";
            taskId: string;
            /** Format: date-time */
            updatedAt: string;
            warnings: string[];
        };
        RouterCallback: {
            carrier?: string | null;
            error?: string | null;
            pharmacy: string;
            pharmacyOrderId: string | null;
            sourceOrderId: string;
            /** @enum {string} */
            status: "submitted" | "failed" | "shipped" | "delivered" | "cancelled" | "processing";
            /** Format: uuid */
            submissionId: string;
            trackingNumber?: string | null;
        };
        Unfinished: {
            error: string;
        } & {
            [key: string]: unknown;
        };
        ValidationRefusal: {
            details?: {
                message: string;
                path: string;
            }[];
            error: string;
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
    takeRouterCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RouterCallback"];
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
                        /** @enum {boolean} */
                        ok: true;
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    approve: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 at once */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "taskId": "test-032658e8-b82f-4f20-b0c8-6a34c724978f",
                 *       "medication": "semaglutide",
                 *       "emrPatientId": "2162ceb2-62ab-4ed5-81b4-d4ea7c37a5b5"
                 *     }
                 */
                "application/json": components["schemas"]["ApproveRequest"];
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
                     *       "success": true,
                     *       "result": {
                     *         "success": true,
                     *         "completedSteps": [
                     *           "medication_config",
                     *           "patient_details",
                     *           "prescriber_resolution",
                     *           "pharmacy_submission",
                     *           "payment",
                     *           "shipment",
                     *           "notification"
                     *         ],
                     *         "warnings": [],
                     *         "medication": "Semaglutide 5mg/mL",
                     *         "patientName": "Nora Quill",
                     *         "state": "NY",
                     *         "submissionId": "d8f6f0b7-41de-518d-b507-3fec729143a0"
                     *       }
                     *     }
                     */
                    "application/json": {
                        result: components["schemas"]["PipelineResult"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Taken; the end comes later */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the run, and Temporal’s first run id */
                        runId: string;
                        statusUrl: string;
                        taskId: string;
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalFailed"] | components["schemas"]["InternalError"];
                };
            };
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unfinished"];
                };
            };
        };
    };
    deny: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "taskId": "test-a183d918-b8d3-4bf9-afa2-1e77822612b0",
                 *       "reason": "Another medicine suits better"
                 *     }
                 */
                "application/json": components["schemas"]["DenyRequest"];
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
                     *       "success": true,
                     *       "taskId": "test-a183d918-b8d3-4bf9-afa2-1e77822612b0",
                     *       "denied": true
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        denied: true;
                        /** @enum {boolean} */
                        success: true;
                        taskId: string;
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                    "application/json": components["schemas"]["Unfinished"];
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
                     *       "error": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    retryPayment: {
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
                    "application/json": {
                        payment: {
                            amountCents: number;
                            currency: string;
                            /** @enum {string} */
                            status: "pending" | "succeeded" | "failed";
                        };
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                    "application/json": components["schemas"]["Unfinished"];
                };
            };
        };
    };
    checkRefills: {
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
                        /** @description How many entries `results` has */
                        processed: number;
                        results: {
                            emrPatientId: string;
                            medication: string;
                            processed: boolean;
                            reason?: string;
                            scheduleId: string;
                        }[];
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"] | components["schemas"]["Refusal"];
                };
            };
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unfinished"];
                };
            };
        };
    };
    listRefillSchedules: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Id of the Patient in the EMR */
                emrPatientId?: string;
                limit?: number;
                status?: "active" | "paused" | "cancelled" | "completed";
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
                     *       "schedules": [
                     *         {
                     *           "id": "01a2027f-343e-7646-b24b-98bb1188e69a",
                     *           "emrPatientId": "2162ceb2-62ab-4ed5-81b4-d4ea7c37a5b5",
                     *           "medication": "semaglutide",
                     *           "dosage": null,
                     *           "status": "active",
                     *           "totalRefillsAllowed": 3,
                     *           "refillsSent": 0,
                     *           "daysSupply": 30,
                     *           "lastFillDate": "2026-11-22",
                     *           "nextFillDate": "2026-12-19",
                     *           "createdAt": "2026-11-22T09:03:40.602Z",
                     *           "updatedAt": "2026-11-22T09:03:40.602Z"
                     *         }
                     *       ],
                     *       "nextCursor": "IjAxYTIwMjdmLTM0M2UtNzY0Ni1iMjRiLTk4YmIxMTg4ZTY5YSI"
                     *     }
                     */
                    "application/json": {
                        nextCursor: string | null;
                        schedules: components["schemas"]["RefillSchedule"][];
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
    createRefillSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emrPatientId": "2162ceb2-62ab-4ed5-81b4-d4ea7c37a5b5",
                 *       "medication": "semaglutide",
                 *       "totalRefillsAllowed": 3
                 *     }
                 */
                "application/json": components["schemas"]["NewRefillSchedule"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schedule": {
                     *         "id": "01a2027f-343e-7646-b24b-98bb1188e69a",
                     *         "emrPatientId": "2162ceb2-62ab-4ed5-81b4-d4ea7c37a5b5",
                     *         "medication": "semaglutide",
                     *         "dosage": null,
                     *         "status": "active",
                     *         "totalRefillsAllowed": 3,
                     *         "refillsSent": 0,
                     *         "daysSupply": 30,
                     *         "lastFillDate": "2026-11-22",
                     *         "nextFillDate": "2026-12-19",
                     *         "createdAt": "2026-11-22T09:03:40.602Z",
                     *         "updatedAt": "2026-11-22T09:03:40.602Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        schedule: components["schemas"]["RefillSchedule"];
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
    getRefillSchedule: {
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
                        schedule: components["schemas"]["RefillSchedule"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
    cancelRefillSchedule: {
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
                        schedule: components["schemas"]["RefillSchedule"];
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
    pauseRefillSchedule: {
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
                        schedule: components["schemas"]["RefillSchedule"];
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
    resumeRefillSchedule: {
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
                        schedule: components["schemas"]["RefillSchedule"];
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
    listRuns: {
        parameters: {
            query?: {
                cursor?: string;
                from?: string;
                limit?: number;
                status?: "pending" | "completed" | "failed" | "denied";
                to?: string;
                warning?: "payment_failed" | "shipment_failed" | "notification_failed";
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
                     *       "runs": [
                     *         {
                     *           "id": "01a2027f-33e4-7d67-95be-c8ee3ed88782",
                     *           "taskId": "test-a183d918-b8d3-4bf9-afa2-1e77822612b0",
                     *           "medication": "N/A",
                     *           "emrPatientId": "",
                     *           "status": "denied",
                     *           "completedSteps": [],
                     *           "failedStep": null,
                     *           "error": null,
                     *           "warnings": [],
                     *           "result": null,
                     *           "createdAt": "2026-11-22T09:03:40.542Z",
                     *           "updatedAt": "2026-11-22T09:03:40.542Z",
                     *           "requestedBy": "approvals"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJjcmVhdGVkQXQiOiIyMDI2LTExLTIyVDA5OjAzOjQwLjU0MloiLCJpZCI6IjAxYTIwMjdmLTMzZTQtN2Q2Ny05NWJlLWM4ZWUzZWQ4ODc4MiJ9"
                     *     }
                     */
                    "application/json": {
                        nextCursor: string | null;
                        runs: components["schemas"]["RequestedRun"][];
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
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
    getStatus: {
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
                     *       "taskId": "test-032658e8-b82f-4f20-b0c8-6a34c724978f",
                     *       "runs": [
                     *         {
                     *           "id": "01a2027f-2e4f-7a0c-b7f8-e4ff31b460a5",
                     *           "taskId": "test-032658e8-b82f-4f20-b0c8-6a34c724978f",
                     *           "medication": "semaglutide",
                     *           "emrPatientId": "2162ceb2-62ab-4ed5-81b4-d4ea7c37a5b5",
                     *           "status": "completed",
                     *           "completedSteps": [
                     *             "medication_config",
                     *             "patient_details",
                     *             "prescriber_resolution",
                     *             "pharmacy_submission",
                     *             "payment",
                     *             "shipment",
                     *             "notification"
                     *           ],
                     *           "failedStep": null,
                     *           "error": null,
                     *           "warnings": [],
                     *           "result": {
                     *             "success": true,
                     *             "completedSteps": [
                     *               "medication_config",
                     *               "patient_details",
                     *               "prescriber_resolution",
                     *               "pharmacy_submission",
                     *               "payment",
                     *               "shipment",
                     *               "notification"
                     *             ],
                     *             "warnings": [],
                     *             "medication": "Semaglutide 5mg/mL",
                     *             "patientName": "Nora Quill",
                     *             "state": "NY",
                     *             "submissionId": "d8f6f0b7-41de-518d-b507-3fec729143a0"
                     *           },
                     *           "createdAt": "2026-11-22T09:03:39.345Z",
                     *           "updatedAt": "2026-11-22T09:03:40.431Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        runs: components["schemas"]["OrchestrationRun"][];
                        taskId: string;
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
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
                     *       "error": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
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
}
