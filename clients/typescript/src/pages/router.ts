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
            kind: "initial" | "update";
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
        Health: {
            service: string;
            /** @constant */
            status: "ok";
            timestamp: string;
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
        PharmacyAWebhook: {
            /** @description The submission's pharmacyOrderId */
            caseId: string;
            /** @enum {string} */
            rxStatus?: "shipped" | "delivered" | "cancelled" | "processing";
            trackingNumber?: string;
        };
        PharmacyBWebhook: {
            /**
             * @description `in-transit` means `shipped`
             * @enum {string}
             */
            rxstatus?: "shipped" | "delivered" | "cancelled" | "processing" | "in-transit";
            shippingcarrier?: string;
            /** @description The submission's pharmacyOrderId */
            tracking_id: string;
            trackingnumber?: string;
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
                     *           "id": "37978124-6f3c-581b-b287-26daebd0cded",
                     *           "apiKeyId": "clinic",
                     *           "source": "test",
                     *           "sourceOrderId": "d2691f02-76a0-4ec5-8431-f27f0b4d1696",
                     *           "callbackUrl": "http://127.0.0.1:9/callback",
                     *           "patientState": "WA",
                     *           "medicationName": "Semaglutide 5mg/mL",
                     *           "pharmacy": "pharmacy_a",
                     *           "pharmacyOrderId": "case_4b818daad01d62d0",
                     *           "status": "submitted",
                     *           "trackingNumber": null,
                     *           "carrier": null,
                     *           "errorMessage": null,
                     *           "submittedAt": "2026-11-22T09:03:40.660Z",
                     *           "createdAt": "2026-11-22T09:03:40.660Z",
                     *           "updatedAt": "2026-11-22T09:03:40.726Z"
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
                     *       "id": "37978124-6f3c-581b-b287-26daebd0cded",
                     *       "apiKeyId": "clinic",
                     *       "source": "test",
                     *       "sourceOrderId": "d2691f02-76a0-4ec5-8431-f27f0b4d1696",
                     *       "callbackUrl": "http://127.0.0.1:9/callback",
                     *       "patientState": "WA",
                     *       "medicationName": "Semaglutide 5mg/mL",
                     *       "pharmacy": "pharmacy_a",
                     *       "pharmacyOrderId": "case_4b818daad01d62d0",
                     *       "status": "submitted",
                     *       "trackingNumber": null,
                     *       "carrier": null,
                     *       "errorMessage": null,
                     *       "requestPayload": {
                     *         "source": "test",
                     *         "sourceOrderId": "d2691f02-76a0-4ec5-8431-f27f0b4d1696",
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
                     *         "caseId": "case_4b818daad01d62d0",
                     *         "status": "received"
                     *       },
                     *       "submittedAt": "2026-11-22T09:03:40.660Z",
                     *       "createdAt": "2026-11-22T09:03:40.660Z",
                     *       "updatedAt": "2026-11-22T09:03:40.726Z"
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
                     *           "id": "5e90cdca-27b5-4286-b036-843101944271",
                     *           "kind": "initial",
                     *           "state": "pending",
                     *           "payload": {
                     *             "submissionId": "37978124-6f3c-581b-b287-26daebd0cded",
                     *             "sourceOrderId": "d2691f02-76a0-4ec5-8431-f27f0b4d1696",
                     *             "pharmacy": "pharmacy_a",
                     *             "status": "submitted",
                     *             "pharmacyOrderId": "case_4b818daad01d62d0",
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
                 *       "sourceOrderId": "d2691f02-76a0-4ec5-8431-f27f0b4d1696",
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
                     *       "submissionId": "37978124-6f3c-581b-b287-26daebd0cded",
                     *       "pharmacy": "pharmacy_a",
                     *       "status": "submitted",
                     *       "pharmacyOrderId": "case_4b818daad01d62d0"
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
