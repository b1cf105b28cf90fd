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
    "/orchestrator/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an approval back
         * @description A run that has not ordered yet is ended; else the pharmacy is asked for the order. If it gives it back, the charge is refunded in full, the refills end, and the patient is told; if it does not, nothing is undone. Answers 202 while the pharmacy has not answered; the same request joins, and finds the answer. After a denial it asks again.
         */
        post: operations["cancel"];
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
    "/orchestrator/payment-links/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay what is owed by a payment link, once
         * @description With a card or session it is saved first; without, the saved card is charged, unless the bank declined it for good. `paid` is false and `status` `pending` where the verdict comes later.
         */
        post: operations["payPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/payment-links/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What is owed by a payment link */
        post: operations["readPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/payment-links/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a session in which the patient saves a card, or satisfies their bank
         * @description Where the bank asked for authentication, the session is for the saved card; else for a new one. Nothing is charged.
         */
        post: operations["sessionPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/payment-recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Charges that have failed, and how it stands with them, newest first */
        get: operations["listPaymentRecoveries"];
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
    "/orchestrator/preflight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an approval would meet, without approving
         * @description Starts no run and changes nothing. What blocks would end the approval in one of steps 1 to 4; what warns would not. Findings that need the patient’s state are left out where it is not known.
         */
        post: operations["preflight"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again what failed at a step in a stretch of time
         * @description Up to step 4 the approval is made again; of step 5 the charge, of 6 the label, of 7 the message, and no more. What was approved, denied or cancelled since is left alone. Nothing is ordered or charged twice, however often this is asked for.
         */
        post: operations["createRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/recoveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a recovery is */
        get: operations["getRecovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/recoveries/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a recovery
         * @description Those under way are carried through, no other is begun. The rest may be asked for again.
         */
        post: operations["cancelRecovery"];
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
    "/orchestrator/reroute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the order of a task to another pharmacy
         * @description The first pharmacy gives the order back before it is made at the other. Answers 202 while the first has not answered, or nobody knows whether the other has taken it. The same request joins.
         */
        post: operations["reroute"];
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
    "/orchestrator/timeline/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to a task, by time
         * @description Each service tells its own part; one that is away leaves an entry of kind `gap`. Nothing of the patient stands in it. Of a schedule’s task, `refill-<scheduleId>`, its refills.
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
    "/orchestrator/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a webhook of the payment processor
         * @description Signed by `Stripe-Signature`, at most five minutes old. Other types than the four that concern us are taken and change nothing.
         */
        post: operations["stripeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orchestrator/work-items/{id}/answer": {
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
        AnswerDone: {
            reason: string | null;
            /** @enum {string} */
            state: "done" | "refused";
        };
        ApprovalCancellation: {
            /** @description The code of a denial */
            reason: string | null;
            /** @description How many refills will not be sent any more */
            refillsCancelled: number;
            refundedCents: number;
            /** @enum {string} */
            state: "pending" | "approved" | "denied";
        };
        ApprovalCancelled: {
            cancellation: components["schemas"]["ApprovalCancellation"];
            /** @constant */
            success: true;
            taskId: string;
        };
        ApprovalCancelRequest: {
            /** @description Told to the pharmacy and to the patient */
            reason: string;
            /** @description Of a refill: the later ones are not sent either */
            stopRefills?: boolean;
            /** @description The task; `refill-<scheduleId>` for the newest refill of a schedule */
            taskId: string;
        };
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
        NotReroutable: {
            /** @description Where the pharmacy keeps the order */
            cancellation?: components["schemas"]["ApprovalCancellation"];
            error: string;
        };
        OrchestrationRun: {
            /** @description Of the order that this run made */
            cancellation: components["schemas"]["ApprovalCancellation"] | null;
            completedSteps: string[];
            /** Format: date-time */
            createdAt: string;
            emrPatientId: string;
            error: string | null;
            failedStep: string | null;
            id: string;
            medication: string;
            /**
             * Format: date-time
             * @description When what `payment_failed` warned of was paid after all
             */
            paidAt?: string;
            result: components["schemas"]["PipelineResult"] | null;
            /**
             * Format: date-time
             * @description When the label of a `shipment_failed` turned out to be there
             */
            settledAt?: string;
            /** @enum {string} */
            status: "pending" | "completed" | "failed" | "denied";
            taskId: string;
            /** Format: date-time */
            updatedAt: string;
            warnings: string[];
        };
        PayByLink: {
            paymentMethodId?: string;
            setupIntentId?: string;
            /** @description Of the link that the patient was sent */
            token: string;
        };
        PaymentLink: {
            /** @description Of the link that the patient was sent */
            token: string;
        };
        PaymentRecovery: {
            amountCents: number;
            attempt: number;
            currency: string;
            /** Format: date-time */
            endsAt: string;
            messagesSent: number;
            /** @description When it is charged again, reminded of or given up; null once it has ended */
            nextAt: string | null;
            /** Format: date-time */
            openedAt: string;
            /** @description Of the last failure */
            reason: string | null;
            /** @description The task, or a refill’s reference */
            reference: string;
            /**
             * @description `unpaid`: its time is over, and a person is asked
             * @enum {string}
             */
            state: "open" | "paid" | "cancelled" | "unpaid";
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            taskId: string;
        };
        PersonsAnswer: {
            answer: string;
            by: string;
            /** @default {} */
            data: {
                [key: string]: unknown;
            };
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
        Preflight: {
            findings: {
                /** @enum {string} */
                code: "unknown_medication" | "patient_not_found" | "patient_incomplete" | "no_pharmacy_route" | "medication_not_at_pharmacy" | "no_licensed_prescriber" | "prescriber_npi_invalid" | "no_payment_profile" | "card_expired" | "no_contact" | "task_in_use" | "emr_unavailable" | "registry_unavailable";
                /** @description Names fields, never values */
                message: string;
                remedy: string;
                /** @enum {string} */
                severity: "blocks" | "warns";
                /** @enum {string} */
                step: "medication_config" | "patient_details" | "prescriber_resolution" | "pharmacy_submission" | "payment" | "shipment" | "notification";
            }[];
            /** @description false when something blocks */
            ready: boolean;
        };
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ok" | "failed";
        };
        Recovery: {
            done: number;
            failed: number;
            selected: number;
            skipped: number;
            /** @enum {string} */
            state: "running" | "completed" | "cancelled";
            succeeded: number;
        };
        RecoveryRequest: {
            /**
             * @description Only says what would be tried again
             * @default true
             */
            dryRun: boolean;
            /** @description A part of the text of what failed */
            error?: string;
            /**
             * Format: date-time
             * @description When they failed
             */
            from: string;
            /**
             * @description How many are begun in a minute
             * @default 60
             */
            perMinute: number;
            /**
             * @description At which step they failed
             * @enum {string}
             */
            step: "medication_config" | "patient_details" | "prescriber_resolution" | "pharmacy_submission" | "payment" | "shipment" | "notification";
            /** Format: date-time */
            to: string;
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
            /**
             * Format: date-time
             * @description When what `payment_failed` warned of was paid after all
             */
            paidAt?: string;
            /** @description Id of the key that asked for it */
            requestedBy: string | null;
            result: components["schemas"]["PipelineResult"] | null;
            /**
             * Format: date-time
             * @description When the label of a `shipment_failed` turned out to be there
             */
            settledAt?: string;
            /** @enum {string} */
            status: "pending" | "completed" | "failed" | "denied";
            taskId: string;
            /** Format: date-time */
            updatedAt: string;
            warnings: string[];
        };
        Rerouted: {
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            /** @description Of the new order: `<taskId>#<n>` */
            reference: string;
            submissionId: string;
            /** @constant */
            success: true;
            taskId: string;
        };
        RerouteRequest: {
            /**
             * @description Where it is ordered instead
             * @enum {string}
             */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            /** @description The task; `refill-<scheduleId>` for the newest refill of a schedule */
            taskId: string;
        };
        RouterCallback: {
            carrier?: string | null;
            error?: string | null;
            /** @description Of the callbacks that tell of a hold (D100) */
            hold?: {
                [key: string]: unknown;
            };
            pharmacy: string;
            pharmacyOrderId: string | null;
            sourceOrderId: string;
            /** @enum {string} */
            status: "submitted" | "failed" | "shipped" | "delivered" | "cancelled" | "processing";
            /** Format: uuid */
            submissionId: string;
            trackingNumber?: string | null;
        };
        SelectedForRecovery: {
            /** @description null for a dry run */
            recoveryId: string | null;
            /** @description How many are still failed */
            selected: number;
            /** @description The first 200 */
            taskIds: string[];
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
                 *       "taskId": "test-bb910a27-c121-45f6-9a8b-78edb7c97db2",
                 *       "medication": "semaglutide",
                 *       "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c"
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
                     *         "submissionId": "d7c9025c-379a-577c-99ae-26779758abc6"
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
    cancel: {
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
                 *       "taskId": "test-20a7cee2-5080-4f09-9f5d-ad1e77e991b6",
                 *       "reason": "No longer needed"
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalCancelRequest"];
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
                     *       "taskId": "test-20a7cee2-5080-4f09-9f5d-ad1e77e991b6",
                     *       "cancellation": {
                     *         "state": "approved",
                     *         "reason": null,
                     *         "refundedCents": 29900,
                     *         "refillsCancelled": 3
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalCancelled"];
                };
            };
            /** @description Taken; the end comes later */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalCancelled"];
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
                 *       "taskId": "test-e447360c-47a2-45b8-a28b-6cda376799e8",
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
                     *       "taskId": "test-e447360c-47a2-45b8-a28b-6cda376799e8",
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
    payPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayByLink"];
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
                        paid: boolean;
                        /** @enum {string} */
                        status: "pending" | "succeeded" | "failed";
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
    readPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLink"];
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
                        /** @description Null when it is paid, or the order was cancelled */
                        owed: {
                            amountCents: number;
                            /** @description The amount is without the coupon, which is no longer valid */
                            couponEnded: boolean;
                            currency: string;
                            /**
                             * @description Another card, the check of the bank, or nothing that the saved card does not bring
                             * @enum {string}
                             */
                            needs: "card" | "authentication" | "nothing";
                            /**
                             * @description `pending`: a charge is under way
                             * @enum {string}
                             */
                            status: "pending" | "succeeded" | "failed";
                        } | null;
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
    sessionPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLink"];
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
                        clientSecret: string;
                        setupIntentId: string;
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
    listPaymentRecoveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                state?: "open" | "paid" | "cancelled" | "unpaid";
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
                     *       "recoveries": [
                     *         {
                     *           "reference": "test-296dfd1a-dd64-407c-8016-8d9d3f329fb2",
                     *           "taskId": "test-296dfd1a-dd64-407c-8016-8d9d3f329fb2",
                     *           "state": "open",
                     *           "status": "failed",
                     *           "reason": "generic_decline",
                     *           "amountCents": 29900,
                     *           "currency": "usd",
                     *           "attempt": 1,
                     *           "messagesSent": 0,
                     *           "openedAt": "2026-11-23T11:26:54.590Z",
                     *           "nextAt": "2026-11-24T11:26:54.590Z",
                     *           "endsAt": "2026-12-07T11:26:54.590Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJvcGVuZWRBdCI6IjIwMjYtMTEtMjNUMTE6MjY6NTQuNTkwWiIsInJlZmVyZW5jZSI6InRlc3QtMjk2ZGZkMWEtZGQ2NC00MDdjLTgwMTYtOGQ5ZDNmMzI5ZmIyIn0"
                     *     }
                     */
                    "application/json": {
                        nextCursor: string | null;
                        recoveries: components["schemas"]["PaymentRecovery"][];
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
                    /**
                     * @example {
                     *       "payment": {
                     *         "status": "succeeded",
                     *         "amountCents": 29900,
                     *         "currency": "usd"
                     *       }
                     *     }
                     */
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
    preflight: {
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
                 *       "taskId": "test-d6f7f271-dfa1-4dd1-bb65-1df87fb4fc08",
                 *       "medication": "semaglutide",
                 *       "emrPatientId": "c52e7ec0-4925-4c47-b165-d2842de2fa0d",
                 *       "dosage": "9 mg"
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
                     *       "ready": true,
                     *       "findings": []
                     *     }
                     */
                    "application/json": components["schemas"]["Preflight"];
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
    createRecovery: {
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
                 *       "step": "medication_config",
                 *       "error": "nowhere-a4db351d-c4b3-4e1c-8e7f-6e1256f6832e",
                 *       "from": "2026-11-23T10:26:56.334Z",
                 *       "to": "2026-11-23T11:27:56.334Z",
                 *       "dryRun": false,
                 *       "perMinute": 1
                 *     }
                 */
                "application/json": components["schemas"]["RecoveryRequest"];
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
                     *       "selected": 1,
                     *       "taskIds": [
                     *         "test-95b3c6eb-b578-4fa6-bd30-5e72e65ae59d"
                     *       ],
                     *       "recoveryId": "bb5bc037-a94d-4122-a791-46a7b5370505"
                     *     }
                     */
                    "application/json": components["schemas"]["SelectedForRecovery"];
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
    getRecovery: {
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
                     *       "state": "running",
                     *       "selected": 1,
                     *       "done": 0,
                     *       "succeeded": 0,
                     *       "failed": 0,
                     *       "skipped": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Recovery"];
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
    cancelRecovery: {
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
                     *       "state": "cancelled",
                     *       "selected": 1,
                     *       "done": 0,
                     *       "succeeded": 0,
                     *       "failed": 0,
                     *       "skipped": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Recovery"];
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
                     *           "id": "01a20828-937e-7864-a492-505eb131aea4",
                     *           "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c",
                     *           "medication": "semaglutide",
                     *           "dosage": null,
                     *           "status": "active",
                     *           "totalRefillsAllowed": 3,
                     *           "refillsSent": 0,
                     *           "daysSupply": 30,
                     *           "lastFillDate": "2026-11-23",
                     *           "nextFillDate": "2026-12-20",
                     *           "createdAt": "2026-11-23T11:26:46.632Z",
                     *           "updatedAt": "2026-11-23T11:26:46.632Z"
                     *         }
                     *       ],
                     *       "nextCursor": "IjAxYTIwODI4LTkzN2UtNzg2NC1hNDkyLTUwNWViMTMxYWVhNCI"
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
                 *       "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c",
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
                     *         "id": "01a20828-937e-7864-a492-505eb131aea4",
                     *         "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c",
                     *         "medication": "semaglutide",
                     *         "dosage": null,
                     *         "status": "active",
                     *         "totalRefillsAllowed": 3,
                     *         "refillsSent": 0,
                     *         "daysSupply": 30,
                     *         "lastFillDate": "2026-11-23",
                     *         "nextFillDate": "2026-12-20",
                     *         "createdAt": "2026-11-23T11:26:46.632Z",
                     *         "updatedAt": "2026-11-23T11:26:46.632Z"
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
                    /**
                     * @example {
                     *       "schedule": {
                     *         "id": "01a20828-a936-77db-9e74-d3b977985353",
                     *         "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c",
                     *         "medication": "semaglutide",
                     *         "dosage": null,
                     *         "status": "active",
                     *         "totalRefillsAllowed": 3,
                     *         "refillsSent": 0,
                     *         "daysSupply": 30,
                     *         "lastFillDate": "2026-11-23",
                     *         "nextFillDate": "2026-12-20",
                     *         "createdAt": "2026-11-23T11:26:52.212Z",
                     *         "updatedAt": "2026-11-23T11:26:52.212Z"
                     *       }
                     *     }
                     */
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
                    /**
                     * @example {
                     *       "schedule": {
                     *         "id": "01a20828-a936-77db-9e74-d3b977985353",
                     *         "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c",
                     *         "medication": "semaglutide",
                     *         "dosage": null,
                     *         "status": "cancelled",
                     *         "totalRefillsAllowed": 3,
                     *         "refillsSent": 0,
                     *         "daysSupply": 30,
                     *         "lastFillDate": "2026-11-23",
                     *         "nextFillDate": "2026-12-20",
                     *         "createdAt": "2026-11-23T11:26:52.212Z",
                     *         "updatedAt": "2026-11-23T11:26:52.292Z"
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
                    /**
                     * @example {
                     *       "schedule": {
                     *         "id": "01a20828-a936-77db-9e74-d3b977985353",
                     *         "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c",
                     *         "medication": "semaglutide",
                     *         "dosage": null,
                     *         "status": "paused",
                     *         "totalRefillsAllowed": 3,
                     *         "refillsSent": 0,
                     *         "daysSupply": 30,
                     *         "lastFillDate": "2026-11-23",
                     *         "nextFillDate": "2026-12-20",
                     *         "createdAt": "2026-11-23T11:26:52.212Z",
                     *         "updatedAt": "2026-11-23T11:26:52.245Z"
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
                    /**
                     * @example {
                     *       "schedule": {
                     *         "id": "01a20828-a936-77db-9e74-d3b977985353",
                     *         "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c",
                     *         "medication": "semaglutide",
                     *         "dosage": null,
                     *         "status": "active",
                     *         "totalRefillsAllowed": 3,
                     *         "refillsSent": 0,
                     *         "daysSupply": 30,
                     *         "lastFillDate": "2026-11-23",
                     *         "nextFillDate": "2026-12-20",
                     *         "createdAt": "2026-11-23T11:26:52.212Z",
                     *         "updatedAt": "2026-11-23T11:26:52.264Z"
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
    reroute: {
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
                 *       "taskId": "test-20a7cee2-5080-4f09-9f5d-ad1e77e991b6",
                 *       "pharmacy": "pharmacy_b"
                 *     }
                 */
                "application/json": components["schemas"]["RerouteRequest"];
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
                     *       "taskId": "test-20a7cee2-5080-4f09-9f5d-ad1e77e991b6",
                     *       "submissionId": "6dd0e93a-36d4-5d10-a7dd-31f87ac1abfd",
                     *       "pharmacy": "pharmacy_b",
                     *       "reference": "test-20a7cee2-5080-4f09-9f5d-ad1e77e991b6#2"
                     *     }
                     */
                    "application/json": components["schemas"]["Rerouted"];
                };
            };
            /** @description Taken; the end comes later */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalCancelled"];
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
                    "application/json": components["schemas"]["NotReroutable"];
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
            /** @description The pharmacy has the order already, or cannot fill it */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
            /** @description The new pharmacy does not take it: there is no order now */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
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
                     *           "id": "01a20828-91ac-7a78-96b9-b2d2668d7637",
                     *           "taskId": "test-e447360c-47a2-45b8-a28b-6cda376799e8",
                     *           "medication": "N/A",
                     *           "emrPatientId": "",
                     *           "status": "denied",
                     *           "completedSteps": [],
                     *           "failedStep": null,
                     *           "error": null,
                     *           "warnings": [],
                     *           "result": null,
                     *           "createdAt": "2026-11-23T11:26:46.504Z",
                     *           "updatedAt": "2026-11-23T11:26:46.504Z",
                     *           "requestedBy": "approvals"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJjcmVhdGVkQXQiOiIyMDI2LTExLTIzVDExOjI2OjQ2LjUwNFoiLCJpZCI6IjAxYTIwODI4LTkxYWMtN2E3OC05NmI5LWIyZDI2NjhkNzYzNyJ9"
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
                     *       "taskId": "test-bb910a27-c121-45f6-9a8b-78edb7c97db2",
                     *       "runs": [
                     *         {
                     *           "id": "01a20828-8b90-7715-b8e8-9b2cac873206",
                     *           "taskId": "test-bb910a27-c121-45f6-9a8b-78edb7c97db2",
                     *           "medication": "semaglutide",
                     *           "emrPatientId": "bb8bf43c-553e-472c-9241-3bb8a313ad5c",
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
                     *             "submissionId": "d7c9025c-379a-577c-99ae-26779758abc6"
                     *           },
                     *           "createdAt": "2026-11-23T11:26:45.033Z",
                     *           "updatedAt": "2026-11-23T11:26:46.040Z",
                     *           "cancellation": null
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
    stripeWebhook: {
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
