/** Made of the OpenAPI page by npm run pages. */
export interface paths {
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
    "/rx/health": {
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
    "/rx/pharmacies/scorecard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the pharmacies did with what was submitted in a time */
        get: operations["getPharmacyScorecard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/prescriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the client's own submissions, newest first
         * @description Without the payloads, which a single submission has.
         */
        get: operations["listPrescriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/prescriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a submission
         * @description Only for the client that made it.
         */
        get: operations["getPrescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/prescriptions/{id}/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The callbacks of a submission, in the order of their delivery */
        get: operations["listPrescriptionCallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/prescriptions/{id}/callbacks/{callbackId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a callback at once, again if need be
         * @description Wakes one that waits and revives one that is dead or delivered, under the same id.
         */
        post: operations["redeliverPrescriptionCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/prescriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the pharmacy to cancel the order
         * @description Answers once the pharmacy has. Safe to repeat: what is pending is joined, what is approved stays so, and after a denial the pharmacy is asked again.
         */
        post: operations["cancelPrescription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/prescriptions/{id}/holds/{holdId}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer what the pharmacy asks
         * @description Answers once the pharmacy has taken it. While it is on its way the hold is open, and another answer is refused; the same again joins.
         */
        post: operations["answerPrescriptionHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/prescriptions/{id}/pharmacies/{pharmacy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a pharmacy can fill a prescription
         * @description Says nothing of its stock, only that it has an article for the medication.
         */
        get: operations["getPrescriptionPharmacy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/prescriptions/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a prescription to a pharmacy
         * @description Answers once the pharmacy has. Safe to repeat: the same body under the same `source` and `sourceOrderId` gives the first answer again, with `Idempotent-Replayed: true`; after a failure it is tried again.
         */
        post: operations["submitPrescription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/route": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which pharmacy an order would go to, and whether it carries the medication
         * @description Nothing is ordered and nothing is kept. The next order may go elsewhere once a route is changed.
         */
        get: operations["getRoute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/routing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All routes, by state */
        get: operations["listRoutes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/routing/{state}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The routes of a state, the one in force first */
        get: operations["listRoutesOfState"];
        /**
         * Add or replace the route of a state and pharmacy
         * @description Counts for the next submission; orders already placed stay where they are.
         */
        put: operations["updateRoute"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What happened to the client's own orders, by time
         * @description Orders, what their pharmacies said and asked, callbacks and cancellations. Codes only.
         */
        post: operations["listOrdersOfTimeline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/webhooks/pharmacy_a": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** pharmacy_a's word on an order */
        post: operations["takePharmacyAWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/webhooks/pharmacy_b": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** pharmacy_b's word on an order */
        post: operations["takePharmacyBWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rx/work-items/{id}/answer": {
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
    prescriptionCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What became of a submission, told to its `callbackUrl`
         * @description First whether the pharmacy took the order, then each change of it, in order: the next one waits until this one is received.
         */
        post: operations["prescriptionCallback"];
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
        Callback: {
            attempts: {
                /** Format: date-time */
                at: string;
                durationMs: number;
                error: string | null;
                /** @description Null without an answer */
                status: number | null;
            }[];
            /**
             * Format: uuid
             * @description Sent as `X-Callback-Id` with every attempt
             */
            id: string;
            /** @enum {string} */
            kind: "initial" | "update" | "hold";
            /** @description Null when none is to come, or when it comes as soon as it is its turn */
            nextAttemptAt: string | null;
            /** @description The body that is sent */
            payload: unknown;
            /** @enum {string} */
            state: "pending" | "delivered" | "dead" | "stopped";
        };
        FieldErrorsRefusal: {
            details?: {
                fieldErrors: {
                    [key: string]: string[];
                };
                formErrors: string[];
            };
            error: string;
        };
        Filling: {
            fills: boolean;
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
        };
        Health: {
            service: string;
            /** @constant */
            status: "ok";
            timestamp: string;
        };
        Hold: {
            /** @description Null until the pharmacy has taken it */
            answer: ("proceed" | "change" | "decline") | null;
            answeredAt: string | null;
            /** @enum {string} */
            code: "generic_substitution" | "prior_authorization" | "therapeutic_interchange" | "drug_use_review" | "clarify_prescription" | "out_of_stock" | "prescriber_authorization" | "clarify_patient" | "clarify_address" | "too_soon" | "other";
            /** @description The pharmacy's */
            id: string;
            message: string | null;
            /** Format: date-time */
            openedAt: string;
            /** @description The pharmacy's own word */
            pharmacyCode: string;
            /** @enum {string} */
            state: "open" | "answered" | "released";
            /** @description ISO 8601, as the pharmacy wrote it */
            until: string | null;
        };
        HoldAnswer: {
            /** @enum {string} */
            answer: "proceed" | "change" | "decline";
            /** @description With `change`, and only with it; at least one */
            changes?: {
                daysSupply?: number;
                quantity?: number;
                /** @description Whole */
                shipTo?: {
                    addressLine1: string;
                    addressLine2?: string;
                    city: string;
                    firstName: string;
                    lastName: string;
                    phone: string;
                    /** @description Two-letter code, in either case */
                    state: string;
                    zip: string;
                };
                sig?: string;
            };
            text?: string;
        };
        InitialCallback: {
            error: string | null;
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            pharmacyOrderId: string | null;
            sourceOrderId: string;
            /** @enum {string} */
            status: "submitted" | "failed";
            /** Format: uuid */
            submissionId: string;
        };
        InternalError: {
            error: string;
            requestId: string;
        };
        OrdersTimelineRequest: {
            references: string[];
        };
        PersonsAnswer: {
            answer: string;
            by: string;
            /** @default {} */
            data: {
                [key: string]: unknown;
            };
        };
        PharmacyAWebhook: {
            /** @description The submission's pharmacyOrderId */
            caseId: string;
            /** @description With `on-hold` and `hold-released` */
            hold?: {
                /** @description With `on-hold`: the pharmacy's own word */
                code?: string;
                id: string;
                message?: string;
                until?: string;
            };
            /** @enum {string} */
            rxStatus?: "shipped" | "delivered" | "cancelled" | "processing" | "on-hold" | "hold-released";
            trackingNumber?: string;
        };
        PharmacyBWebhook: {
            /** @description With `on-hold`: the pharmacy's own word */
            holdcode?: string;
            /** @description With `on-hold` and `hold-released` */
            holdid?: string;
            holdmessage?: string;
            holduntil?: string;
            /**
             * @description `in-transit` means `shipped`
             * @enum {string}
             */
            rxstatus?: "shipped" | "delivered" | "cancelled" | "processing" | "in-transit" | "on-hold" | "hold-released";
            shippingcarrier?: string;
            /** @description The submission's pharmacyOrderId */
            tracking_id: string;
            trackingnumber?: string;
        };
        PharmacyScore: {
            healedByAsking: number;
            /** @description By code */
            holds: {
                [key: string]: number;
            };
            /** @description Submitted in that time, rejected ones too */
            orders: number;
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            rejected: number;
            /** @description Since the submission; null where it happened to none */
            secondsToAccepted: {
                median: number | null;
                p95: number | null;
            };
            /** @description Since the submission; null where it happened to none */
            secondsToDelivered: {
                median: number | null;
                p95: number | null;
            };
            /** @description Since the submission; null where it happened to none */
            secondsToShipped: {
                median: number | null;
                p95: number | null;
            };
        };
        PrescriptionCancellation: {
            answeredAt: string | null;
            /** @description The denial's code, else null */
            reason: ("already_shipped" | "already_dispensed" | "not_found" | "other") | null;
            /** Format: date-time */
            requestedAt: string;
            requestReason: string | null;
            /** @enum {string} */
            state: "pending" | "approved" | "denied";
        };
        PrescriptionSubmission: {
            /** Format: uri */
            callbackUrl: string;
            clinical?: {
                allergies?: {
                    entries?: string[];
                    known: boolean;
                };
                /** @enum {string} */
                billTo?: "patient" | "practice";
                conditions?: {
                    entries?: string[];
                    known: boolean;
                };
                medications?: {
                    entries?: string[];
                    known: boolean;
                };
            };
            medication: {
                clinicalJustification?: string;
                daysSupply: number;
                /** @description Decides the SKU or catalog id */
                name: string;
                note?: string;
                quantity: number;
                refills: number;
                sig: string;
            };
            patient: {
                /**
                 * Format: date
                 * @description Calendar date, YYYY-MM-DD
                 */
                dob: string;
                email?: string;
                firstName: string;
                /** @enum {string} */
                gender: "male" | "female";
                lastName: string;
                phone: string;
            };
            prescriber: {
                address?: {
                    city: string;
                    line1: string;
                    state: string;
                    zip: string;
                };
                deaNumber?: string;
                email?: string;
                fax?: string;
                firstName: string;
                lastName: string;
                licenseNumber?: string;
                licenseState?: string;
                npi: string;
                phone?: string;
                /**
                 * Format: base64
                 * @description Signature image; pharmacy_b's signed prescription
                 */
                signatureBase64?: string;
            };
            routing?: {
                /** @description When omitted, `shipTo.state` decides */
                patientState?: string;
                /**
                 * @description Bypasses state routing
                 * @enum {string}
                 */
                preferredPharmacy?: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            };
            shipTo: {
                addressLine1: string;
                addressLine2?: string;
                city: string;
                firstName: string;
                lastName: string;
                phone: string;
                /** @description Two-letter code, in either case */
                state: string;
                zip: string;
            };
            /** @description The calling system */
            source: string;
            /** @description The caller's order reference, unique per source */
            sourceOrderId: string;
            /** @description Targets the pharmacy sandboxes; nothing real is created */
            test?: boolean;
        };
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ok" | "failed";
        };
        Refusal: {
            error: string;
        };
        Route: {
            isActive: boolean;
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            /** @description The highest active one wins */
            priority: number;
            state: string;
        };
        SubmissionEntry: {
            apiKeyId: string;
            callbackUrl: string;
            carrier: string | null;
            /** Format: date-time */
            createdAt: string;
            errorMessage: string | null;
            /** Format: uuid */
            id: string;
            medicationName: string;
            patientState: string;
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            pharmacyOrderId: string | null;
            source: string;
            sourceOrderId: string;
            /** @enum {string} */
            status: "submitted" | "failed" | "shipped" | "delivered" | "cancelled" | "processing";
            /** Format: date-time */
            submittedAt: string;
            trackingNumber: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        SubmissionFailed: {
            /** @description The pharmacy's text, or why there was no answer */
            error: string;
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            pharmacyOrderId: null;
            /** @constant */
            status: "failed";
            /** Format: uuid */
            submissionId: string;
        };
        SubmissionRecord: {
            /** @description What answers to holds have changed of the order */
            amendments: {
                /** Format: date-time */
                at: string;
                changes: {
                    [key: string]: unknown;
                };
                holdId: string;
            }[];
            apiKeyId: string;
            callbackUrl: string;
            /** @description Null where never asked for */
            cancellation: components["schemas"]["PrescriptionCancellation"] | null;
            carrier: string | null;
            /** Format: date-time */
            createdAt: string;
            errorMessage: string | null;
            /** @description Oldest first */
            holds: components["schemas"]["Hold"][];
            /** Format: uuid */
            id: string;
            medicationName: string;
            patientState: string;
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            pharmacyOrderId: string | null;
            /** @description The original PrescriptionSubmission */
            requestPayload: unknown;
            /** @description The pharmacy's raw response: JSON, text, or null */
            responsePayload: unknown;
            source: string;
            sourceOrderId: string;
            /** @enum {string} */
            status: "submitted" | "failed" | "shipped" | "delivered" | "cancelled" | "processing";
            /** Format: date-time */
            submittedAt: string;
            trackingNumber: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        SubmissionRefusal: {
            error: string;
            /** Format: uuid */
            submissionId: string;
        };
        Submitted: {
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            pharmacyOrderId: string;
            /** @constant */
            status: "submitted";
            /** Format: uuid */
            submissionId: string;
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
        Unfinished: {
            error: string;
        } & {
            [key: string]: unknown;
        };
        UpdateCallback: {
            carrier: string | null;
            /** @enum {string} */
            pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
            pharmacyOrderId: string;
            sourceOrderId: string;
            /** @enum {string} */
            status: "submitted" | "failed" | "shipped" | "delivered" | "cancelled" | "processing";
            /** Format: uuid */
            submissionId: string;
            trackingNumber: string | null;
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
    getPharmacyScorecard: {
        parameters: {
            query?: {
                /** @description 30 days before `to` unless said otherwise */
                from?: string;
                /** @description Now unless said otherwise */
                to?: string;
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
                    "application/json": {
                        /** Format: date-time */
                        from: string;
                        pharmacies: components["schemas"]["PharmacyScore"][];
                        /** Format: date-time */
                        to: string;
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    listPrescriptions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                pharmacy?: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
                sourceOrderId?: string;
                status?: "submitted" | "failed" | "shipped" | "delivered" | "cancelled" | "processing";
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
                     *       "prescriptions": [
                     *         {
                     *           "id": "6ab91ac3-be09-56ba-887f-0dbae7a513a5",
                     *           "apiKeyId": "clinic",
                     *           "source": "test",
                     *           "sourceOrderId": "fb8e94b1-2000-453b-9289-b46c96b2fe01",
                     *           "callbackUrl": "http://127.0.0.1:9/callback",
                     *           "patientState": "WA",
                     *           "medicationName": "Semaglutide 5mg/mL",
                     *           "pharmacy": "pharmacy_a",
                     *           "pharmacyOrderId": "case_a7317678950c531e",
                     *           "status": "submitted",
                     *           "trackingNumber": null,
                     *           "carrier": null,
                     *           "errorMessage": null,
                     *           "submittedAt": "2026-11-23T11:26:46.864Z",
                     *           "createdAt": "2026-11-23T11:26:46.864Z",
                     *           "updatedAt": "2026-11-23T11:26:46.923Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description For the next page; null at the end */
                        nextCursor: string | null;
                        prescriptions: components["schemas"]["SubmissionEntry"][];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    getPrescription: {
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
                     *       "id": "6ab91ac3-be09-56ba-887f-0dbae7a513a5",
                     *       "apiKeyId": "clinic",
                     *       "source": "test",
                     *       "sourceOrderId": "fb8e94b1-2000-453b-9289-b46c96b2fe01",
                     *       "callbackUrl": "http://127.0.0.1:9/callback",
                     *       "patientState": "WA",
                     *       "medicationName": "Semaglutide 5mg/mL",
                     *       "pharmacy": "pharmacy_a",
                     *       "pharmacyOrderId": "case_a7317678950c531e",
                     *       "status": "submitted",
                     *       "trackingNumber": null,
                     *       "carrier": null,
                     *       "errorMessage": null,
                     *       "requestPayload": {
                     *         "source": "test",
                     *         "sourceOrderId": "fb8e94b1-2000-453b-9289-b46c96b2fe01",
                     *         "callbackUrl": "http://127.0.0.1:9/callback",
                     *         "patient": {
                     *           "firstName": "Pat",
                     *           "lastName": "Example",
                     *           "dob": "1980-02-29",
                     *           "gender": "female",
                     *           "phone": "+12025550101"
                     *         },
                     *         "shipTo": {
                     *           "firstName": "Pat",
                     *           "lastName": "Example",
                     *           "phone": "+12025550101",
                     *           "addressLine1": "1 Main St",
                     *           "city": "Springfield",
                     *           "state": "WA",
                     *           "zip": "10001"
                     *         },
                     *         "prescriber": {
                     *           "firstName": "Blair",
                     *           "lastName": "Chen",
                     *           "npi": "1245319599"
                     *         },
                     *         "medication": {
                     *           "name": "Semaglutide 5mg/mL",
                     *           "sig": "inject 10 units (0.25mg) SQ weekly",
                     *           "quantity": 2,
                     *           "daysSupply": 30,
                     *           "refills": 3
                     *         }
                     *       },
                     *       "responsePayload": {
                     *         "caseId": "case_a7317678950c531e",
                     *         "status": "received"
                     *       },
                     *       "submittedAt": "2026-11-23T11:26:46.864Z",
                     *       "createdAt": "2026-11-23T11:26:46.864Z",
                     *       "updatedAt": "2026-11-23T11:26:46.923Z",
                     *       "holds": [],
                     *       "amendments": [],
                     *       "cancellation": null
                     *     }
                     */
                    "application/json": components["schemas"]["SubmissionRecord"];
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
    listPrescriptionCallbacks: {
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
                     *       "callbacks": [
                     *         {
                     *           "id": "e17c38b5-ef0c-4587-aa1c-37139c398062",
                     *           "kind": "initial",
                     *           "state": "pending",
                     *           "payload": {
                     *             "submissionId": "6ab91ac3-be09-56ba-887f-0dbae7a513a5",
                     *             "sourceOrderId": "fb8e94b1-2000-453b-9289-b46c96b2fe01",
                     *             "pharmacy": "pharmacy_a",
                     *             "status": "submitted",
                     *             "pharmacyOrderId": "case_a7317678950c531e",
                     *             "error": null
                     *           },
                     *           "attempts": [],
                     *           "nextAttemptAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        callbacks: components["schemas"]["Callback"][];
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
    redeliverPrescriptionCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                callbackId: string;
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Taken; the end comes later */
            202: {
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
            /** @description The receiver has answered 410: it wants none any more */
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
    cancelPrescription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "No longer needed"
                 *     }
                 */
                "application/json": {
                    /** @description Handed on to the pharmacy */
                    reason?: string;
                } | null;
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
                     *       "submissionId": "0e48f2d6-8756-5d2f-9cfd-d2d1861577df",
                     *       "cancellation": {
                     *         "state": "approved",
                     *         "reason": null,
                     *         "requestReason": "No longer needed",
                     *         "requestedAt": "2026-11-23T11:26:52.871Z",
                     *         "answeredAt": "2026-11-23T11:26:52.957Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        cancellation: components["schemas"]["PrescriptionCancellation"];
                        /** Format: uuid */
                        submissionId: string;
                    };
                };
            };
            /** @description The pharmacy has not answered yet; it is asked until it has */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cancellation: components["schemas"]["PrescriptionCancellation"];
                        /** Format: uuid */
                        submissionId: string;
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
            /** @description The pharmacy has rejected the order */
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
    answerPrescriptionHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pharmacy’s id of its hold */
                holdId: string;
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "answer": "proceed",
                 *       "text": "Go on"
                 *     }
                 */
                "application/json": components["schemas"]["HoldAnswer"];
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
                     *       "hold": {
                     *         "id": "hold-07451011-b820-490e-8077-8647bd94aade",
                     *         "code": "out_of_stock",
                     *         "pharmacyCode": "out-of-stock",
                     *         "message": "Back in a week. Wait for it?",
                     *         "until": null,
                     *         "state": "answered",
                     *         "openedAt": "2026-11-23T11:26:52.553Z",
                     *         "answer": "proceed",
                     *         "answeredAt": "2026-11-23T11:26:52.743Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        hold: components["schemas"]["Hold"];
                    };
                };
            };
            /** @description On its way: it is tried until the pharmacy answers or releases */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hold: components["schemas"]["Hold"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
            /** @description Not open, or answered otherwise */
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
            /** @description The pharmacy refuses the answer; the hold stays open */
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
    getPrescriptionPharmacy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
                pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
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
                     *       "pharmacy": "pharmacy_b",
                     *       "fills": true
                     *     }
                     */
                    "application/json": components["schemas"]["Filling"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    submitPrescription: {
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
                 *       "source": "test",
                 *       "sourceOrderId": "fb8e94b1-2000-453b-9289-b46c96b2fe01",
                 *       "callbackUrl": "http://127.0.0.1:9/callback",
                 *       "patient": {
                 *         "firstName": "Pat",
                 *         "lastName": "Example",
                 *         "dob": "1980-02-29",
                 *         "gender": "female",
                 *         "phone": "+12025550101"
                 *       },
                 *       "shipTo": {
                 *         "firstName": "Pat",
                 *         "lastName": "Example",
                 *         "phone": "+12025550101",
                 *         "addressLine1": "1 Main St",
                 *         "city": "Springfield",
                 *         "state": "WA",
                 *         "zip": "10001"
                 *       },
                 *       "prescriber": {
                 *         "firstName": "Blair",
                 *         "lastName": "Chen",
                 *         "npi": "1245319599"
                 *       },
                 *       "medication": {
                 *         "name": "Semaglutide 5mg/mL",
                 *         "sig": "inject 10 units (0.25mg) SQ weekly",
                 *         "quantity": 2,
                 *         "daysSupply": 30,
                 *         "refills": 3
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PrescriptionSubmission"];
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
                     *       "submissionId": "6ab91ac3-be09-56ba-887f-0dbae7a513a5",
                     *       "pharmacy": "pharmacy_a",
                     *       "status": "submitted",
                     *       "pharmacyOrderId": "case_a7317678950c531e"
                     *     }
                     */
                    "application/json": components["schemas"]["Submitted"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
            /** @description The order reference stands for another payload */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionRefusal"];
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
            /** @description No pharmacy serves the state */
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
            /** @description A party behind us has refused, or did not answer */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionFailed"];
                };
            };
            /** @description Not known yet; the same request finds the answer later */
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
    getRoute: {
        parameters: {
            query: {
                /** @description Decides the SKU or catalog id */
                medication: string;
                state: string;
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
                     *       "pharmacy": "pharmacy_c",
                     *       "carriesMedication": true
                     *     }
                     */
                    "application/json": {
                        carriesMedication: boolean;
                        /** @description null where no pharmacy serves the state */
                        pharmacy: ("pharmacy_a" | "pharmacy_b" | "pharmacy_c") | null;
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    listRoutes: {
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
                        routes: components["schemas"]["Route"][];
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
    listRoutesOfState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                state: string;
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
                        routes: components["schemas"]["Route"][];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    updateRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                state: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isActive: boolean;
                    /** @enum {string} */
                    pharmacy: "pharmacy_a" | "pharmacy_b" | "pharmacy_c";
                    /** @description The highest active one wins */
                    priority: number;
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
                        route: components["schemas"]["Route"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    listOrdersOfTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrdersTimelineRequest"];
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
                     *       "error": "Validation failed",
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    takePharmacyAWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PharmacyAWebhook"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    takePharmacyBWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PharmacyBWebhook"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
    prescriptionCallback: {
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
                "application/json": components["schemas"]["UpdateCallback"] | components["schemas"]["InitialCallback"];
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
